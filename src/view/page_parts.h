/*
 * The files src/view/page/page.html, page.css and page.js, which the build puts into the program.
 * Their bytes are in page_parts.c, which the Makefile makes.
 */
#ifndef CG2WG_VIEW_PAGE_PARTS_H
#define CG2WG_VIEW_PAGE_PARTS_H

#include "util/text.h"

extern const struct text page_html, page_css, page_js;

#endif
