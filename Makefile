# SPDX-License-Identifier: MIT
# cg2wg shows profiles and converts them for webgrind. `make help` lists the targets and the variables.

CC ?= cc
CFLAGS ?= -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
WERROR ?=
BUILD ?= build

# Where to install. Completions go where each shell looks for those of packages.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d

# Prints one short line for each file; with V=1 the whole command, with -s nothing.
SILENT := $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS))))
Q := $(if $(V:0=),,@)
say = $(if $(Q),@$(if $(SILENT),:,echo '$(1) $(@:$(BUILD)/%=%)'))

# As many jobs as there are cores, unless the command line gives a number. (A number in the command line
# wins over this one; make does not show it here before version 4.4.)
ifeq ($(MAKELEVEL),0)
ifeq ($(findstring j,$(filter-out --%,$(shell echo "$$MAKEFLAGS"))),)
MAKEFLAGS += -j$(or $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN),1)
endif
endif
# In a rule: the number of jobs; empty: no limit
JOBS = $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))

# A target that removes files runs alone: `make clean all`.
ifneq ($(filter clean uninstall,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

# Files named X_posix.c and X_windows.c contain what differs between systems.
SYSTEM ?= posix
OTHER_SYSTEM = $(filter-out $(SYSTEM),posix windows)
sources = $(filter-out %_$(OTHER_SYSTEM).c,$(wildcard $(1:%=%/*.c)))

# On Windows: the declarations of version 7; C11's printf.
CPPFLAGS_windows = -D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1
EXE_windows = .exe

ALL_CPPFLAGS = -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 $(CPPFLAGS_$(SYSTEM)) -Iinclude -Isrc $(CPPFLAGS)

# These flags make bugs harder to exploit. The C library's checks need optimisation. They stay as they are if a
# distribution has set them, in these variables or in its compiler.
OPTIMISED = $(filter-out -O0,$(filter -O%,$(CFLAGS)))
FORTIFIED := $(shell $(CC) $(CPPFLAGS) $(CFLAGS) -dM -E -x c /dev/null 2>&1 | grep '_FORTIFY_SOURCE [1-9]')
HARDENING ?= -fstack-protector-strong $(if $(FORTIFIED),,$(if $(OPTIMISED),-D_FORTIFY_SOURCE=2))
HARDENING_LDFLAGS ?= $(if $(filter -static%,$(LDFLAGS)),,-pie) -Wl,-z,relro,-z,now

# Code for a shared library, too, from which only what the headers in include declare can be called.
CODE_posix = -fPIC -fvisibility=hidden
# Functions for Windows that have nothing to do do not use their parameters.
CODE_windows = -Wno-unused-parameter

# The directory of the build must not appear in the result.
ALL_CFLAGS = -std=c11 -pthread $(CODE_$(SYSTEM)) $(WARNINGS) $(WERROR) $(HARDENING) '-ffile-prefix-map=$(CURDIR)=.' $(CFLAGS)
ALL_LDFLAGS = $(HARDENING_LDFLAGS) $(LDFLAGS)
COMPILE = $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

LIB_SOURCES := $(call sources,src src/util src/os src/io src/model src/read src/read/callgrind src/read/perf src/write src/view)
CLI_SOURCES := $(call sources,src/cli)
HEADERS := $(wildcard include/*.h src/*.h src/*/*.h src/*/*/*.h)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/src/view/page_parts.o
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
OBJECTS := $(LIB_OBJECTS) $(CLI_OBJECTS)

# The ordinary build puts the program into the top directory.
ifeq ($(BUILD),build)
PROGRAM = cg2wg$(EXE_$(SYSTEM))
else
PROGRAM = $(BUILD)/cg2wg$(EXE_$(SYSTEM))
endif
LIBRARY = $(BUILD)/libcg2wg.a

# What is installed of the library. The first number of the version is that of the shared library's interface.
VERSION := $(shell sed -n 's/^\#define CG2WG_VERSION "\(.*\)"$$/\1/p' include/cg2wg.h)
SONAME = libcg2wg.so.$(firstword $(subst ., ,$(VERSION)))
STATIC_LIBRARY = $(BUILD)/lib/libcg2wg.a
SHARED_LIBRARY = $(BUILD)/lib/libcg2wg.so.$(VERSION)
ifeq ($(SYSTEM)$(filter -static,$(LDFLAGS)),posix)
LIBRARIES ?= static shared
endif
has = $(filter $(1),$(LIBRARIES))
PUBLIC_LIBRARIES = $(if $(call has,static),$(STATIC_LIBRARY)) $(if $(call has,shared),$(SHARED_LIBRARY))

.PHONY: all
all: $(PROGRAM) $(PUBLIC_LIBRARIES)

$(PROGRAM): $(CLI_OBJECTS) $(LIBRARY)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

$(LIBRARY): $(LIB_OBJECTS)
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

# One object, of which nothing else is visible: other functions of a program may have the same names. With link-time
# optimisation, gcc has to know that it is to contain code.
RELOCATABLE = $(filter -flto% -fuse-ld%,$(LDFLAGS)) $(if $(filter -flto%,$(LDFLAGS)),$(if $(findstring clang,$(CC)),,-flinker-output=nolto-rel))

$(STATIC_LIBRARY): $(LIB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(CC) $(CFLAGS) $(RELOCATABLE) -nostdlib -r -o $(@D)/cg2wg.o $^
	$(Q)$$($(CC) -print-prog-name=objcopy) --localize-hidden $(@D)/cg2wg.o
	$(Q)$(AR) rcs $@ $(@D)/cg2wg.o

$(SHARED_LIBRARY): $(LIB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(filter-out -pie,$(ALL_LDFLAGS)) -shared -Wl,-soname,$(SONAME) -o $@ $^

# All is built again when a flag changes. `make install` alone takes what was built, with whatever flags.
FLAGS := $(strip $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS))
quoted = '$(subst ','\'',$(1))'
ifneq ($(filter-out install install-strip uninstall,$(or $(MAKECMDGOALS),all)),)
ifneq ($(FLAGS),$(shell cat $(BUILD)/flags 2>/dev/null))
.PHONY: $(BUILD)/flags
endif
endif
$(BUILD)/flags:
	@mkdir -p $(@D)
	@printf '%s\n' $(call quoted,$(FLAGS)) >$@

$(BUILD)/%.o: %.c Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE)

# The files of the page for browsers become arrays of bytes, without their indentation, and lines of comments or nothing.
$(BUILD)/src/view/page_parts.c: $(wildcard src/view/page/page.*)
	@mkdir -p $(@D)
	$(call say,GEN)
	$(Q){ echo '#include "util/text.h"'; for part in html css js; do \
		echo "static const unsigned char $$part[] = {"; \
		sed '/SPDX-License/d; s/^ *//; /^$$/d; /^\/\//d; /^\/\*.*\*\/$$/d; /^\/\*/,/\*\/$$/d' src/view/page/page.$$part | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'; \
		echo "};"; \
		echo "const struct text page_$$part = {(const char *)$$part, (const char *)$$part + sizeof $$part};"; \
	done; } >$@.new && mv $@.new $@

$(BUILD)/src/view/page_parts.o: $(BUILD)/src/view/page_parts.c $(BUILD)/flags
	$(call say,CC)
	$(Q)$(COMPILE)

-include $(OBJECTS:.o=.d)

include tests/tests.mk

.PHONY: demo
demo: $(PROGRAM) ## show two bundled real profiles, and make a page and a preprocessed file of one
	@tests/demo.sh ./$(PROGRAM)

# Completions for shells. The program prints its options itself; if it cannot run, there are none.
ifeq ($(SYSTEM),posix)
COMPLETIONS ?= $(patsubst %,$(BUILD)/completions/cg2wg.%,bash zsh fish)
endif
all: $(COMPLETIONS)

$(BUILD)/completions/cg2wg.%: src/cli/completions/cg2wg.%.in src/cli/completions/generate.sh $(PROGRAM)
	$(call say,GEN)
	@mkdir -p $(@D)
	$(Q)src/cli/completions/generate.sh $* $(RUNNER) $(if $(filter /%,$(PROGRAM)),,./)$(PROGRAM) >$@.new && mv $@.new $@

# The installed files: MODE:FILE:WHERE
INSTALLED = '755:$(PROGRAM):$(BINDIR)/cg2wg' \
	'644:docs/cg2wg.1:$(MANDIR)/man1/cg2wg.1' \
	$(if $(COMPLETIONS),'644:$(BUILD)/completions/cg2wg.bash:$(BASHCOMPDIR)/cg2wg' \
		'644:$(BUILD)/completions/cg2wg.zsh:$(ZSHCOMPDIR)/_cg2wg' \
		'644:$(BUILD)/completions/cg2wg.fish:$(FISHCOMPDIR)/cg2wg.fish') \
	$(if $(call has,static),'644:$(STATIC_LIBRARY):$(LIBDIR)/libcg2wg.a') \
	$(if $(call has,shared),'755:$(SHARED_LIBRARY):$(LIBDIR)/libcg2wg.so.$(VERSION)') \
	$(if $(LIBRARIES),'644:include/cg2wg.h:$(INCLUDEDIR)/cg2wg.h' '644:include/cg2wg_print.h:$(INCLUDEDIR)/cg2wg_print.h')
LINKS = $(if $(call has,shared),$(SONAME) libcg2wg.so)
PKG_CONFIG_FILE = $(if $(LIBRARIES),$(LIBDIR)/pkgconfig/cg2wg.pc)

# There is no page of the project yet; whoever has one names it.
HOMEPAGE ?=
export HOMEPAGE
WITH_HOMEPAGE = sed '$(if $(HOMEPAGE),s|@HOMEPAGE@|$(HOMEPAGE)|; s|^\.\\" Lk|.Lk|,/@HOMEPAGE@/d)'

# With DEBUGDIR, debuggers find there what is stripped from the program and the shared library.
DEBUGDIR ?=
OBJCOPY ?= $$($(CC) -print-prog-name=objcopy)
STRIP_EACH = $(if $(DEBUGDIR),debug='$(DESTDIR)$(DEBUGDIR)'$$where.debug; mkdir -p "$${debug%/*}"; \
		$(OBJCOPY) --only-keep-debug "$$to" "$$debug"; chmod 644 "$$debug"; \
		$(OBJCOPY) --strip-unneeded --add-gnu-debuglink="$$debug" "$$to",$(if $(STRIPPED),$(OBJCOPY) --strip-unneeded "$$to",:))

.PHONY: install
install: $(PROGRAM) $(PUBLIC_LIBRARIES) $(COMPLETIONS) ## install program, manual page, completions and library below $(DESTDIR)$(PREFIX)
	@set -e; umask 022; for file in $(INSTALLED); do \
		mode=$${file%%:*}; file=$${file#*:}; where=$${file#*:}; to='$(DESTDIR)'$$where; \
		$(if $(SILENT),,echo "INSTALL $$to";) mkdir -p "$${to%/*}"; install -m "$$mode" "$${file%%:*}" "$$to"; \
		[ "$$mode" != 755 ] || { $(STRIP_EACH); }; \
		$(if $(STRIPPED),[ "$${to%.a}" = "$$to" ] || $(OBJCOPY) -D --strip-debug "$$to";) \
		[ "$${to%/cg2wg.1}" = "$$to" ] || $(WITH_HOMEPAGE) <docs/cg2wg.1 >"$$to"; \
	done; \
	for link in $(LINKS); do ln -sf 'libcg2wg.so.$(VERSION)' '$(DESTDIR)$(LIBDIR)'/$$link; done; \
	to='$(DESTDIR)$(PKG_CONFIG_FILE)'; [ -n '$(PKG_CONFIG_FILE)' ] || exit 0; \
	$(if $(SILENT),,echo "INSTALL $$to";) mkdir -p "$${to%/*}"; rm -f "$$to"; \
	sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@INCLUDEDIR@,$(INCLUDEDIR),; s,@VERSION@,$(VERSION),' \
		include/cg2wg.pc.in | $(WITH_HOMEPAGE) >"$$to"

.PHONY: install-strip
install-strip: STRIPPED = 1
install-strip: install #- install without debug data

.PHONY: uninstall
uninstall: ## remove what make install has installed
	@for file in $(INSTALLED) $(if $(PKG_CONFIG_FILE),'::$(PKG_CONFIG_FILE)') $(LINKS:%='::$(LIBDIR)/%'); do \
		where=$${file##*:}; \
		for to in '$(DESTDIR)'"$$where" $(if $(DEBUGDIR),'$(DESTDIR)$(DEBUGDIR)'"$$where.debug"); do \
			[ ! -e "$$to" ] && [ ! -L "$$to" ] || { $(if $(SILENT),,echo "RM $$to";) rm -f "$$to"; } || exit; \
		done; \
	done

# musl makes small static programs; any other C library works, too.
STATIC_CC ?= $(if $(shell command -v musl-gcc 2>/dev/null),musl-gcc,$(CC))

.PHONY: static
static: ## build a program that needs no library: build-static/cg2wg (with musl-gcc, if installed)
	@$(MAKE) --no-print-directory BUILD=build-static CC='$(STATIC_CC)' CFLAGS='-O2 -ffunction-sections \
		-fdata-sections' LDFLAGS='-static -s -Wl,--gc-sections' all

WINDOWS_CC ?= x86_64-w64-mingw32-gcc

# GCC does not align the stack to 32 bytes on Windows (its bug 54412), so no instruction may rely on that.
.PHONY: windows
windows: #- build a program for 64-bit Windows with MinGW-w64: build-windows/cg2wg.exe
	@$(MAKE) --no-print-directory BUILD=build-windows SYSTEM=windows CC='$(WINDOWS_CC)' \
		AR='$(WINDOWS_CC:gcc=ar)' \
		CFLAGS='-O2 -ffunction-sections -fdata-sections -Wa,-muse-unaligned-vector-move' \
		HARDENING='-fstack-protector-strong' HARDENING_LDFLAGS='-Wl,--dynamicbase,--nxcompat,--high-entropy-va' \
		LDFLAGS='-static -s -Wl,--gc-sections' all

# The archive has the times of the commit, so that the same commit gives the same bytes.
.PHONY: dist
dist: #- pack the source of the last commit: cg2wg-VERSION.tar.gz
	@[ -e .git ] || { echo "make dist packs a commit, so it needs a clone of the repository" >&2; exit 1; }
	git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix=cg2wg-$(VERSION)/ \
		-o cg2wg-$(VERSION).tar HEAD || { rm -f cg2wg-$(VERSION).tar; exit 1; }
	gzip -9 -n -f cg2wg-$(VERSION).tar

.PHONY: deb
deb: ## build Debian packages of program and library, in build/deb; needs build-essential and debhelper
	$(call say,DEB)
	@mkdir -p $(BUILD)
	$(Q)src/packaging/deb.sh '$(VERSION)' '$(BUILD)/deb' $(if $(V:0=),,>$(BUILD)/deb.log 2>&1 || { cat $(BUILD)/deb.log; exit 1; })

RELEASE = $(BUILD)/release

.PHONY: release
release: #- put the source of the last commit, a static program, Debian packages and checksums into build/release
	@$(MAKE) --no-print-directory dist static deb
	$(call say,RELEASE)
	$(Q)rm -rf $(RELEASE) && mkdir -p $(RELEASE)
	$(Q)cp cg2wg-$(VERSION).tar.gz $(BUILD)/deb/*.deb $(RELEASE)
	$(Q)cp build-static/cg2wg $(RELEASE)/cg2wg-$(VERSION)-linux-$(shell uname -m)
	$(Q)cd $(RELEASE) && sha256sum * >SHA256SUMS && cat SHA256SUMS

# Of the commands that make would run: those that compile a file.
.PHONY: compile_commands.json
compile_commands.json: #- say how each file is compiled, for clangd and other tools
	@$(MAKE) --no-print-directory -Bn V=1 $(PROGRAM) 2>/dev/null | awk -v folder='$(CURDIR)' ' \
		/ -c -o / { file = $$NF; gsub(/[\\"]/, "\\\\&"); \
			printf "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s\"}", begin, folder, file, $$0; \
			begin = ",\n" } \
		BEGIN { begin = "[\n" } END { print "\n]" }' >$@

# Other versions of clang-format lay out some lines differently.
.PHONY: format
format: #- lay out src and include as .clang-format says; needs clang-format-16
	find src include -name '*.[ch]' -exec clang-format-16 -i {} +

.PHONY: check-format
check-format: #- fail if `make format` would change something; without clang-format-16, nothing is checked
	@if command -v clang-format-16 >/dev/null; then \
		find src include -name '*.[ch]' -exec clang-format-16 --dry-run -Werror {} +; \
	else echo "clang-format-16 is missing: the layout is not checked"; fi

.PHONY: clean
clean: ## remove all built files
	rm -rf build build-* cg2wg cg2wg-*.tar.gz compile_commands.json

shown_targets = sed -n 's/^\([a-z_.-]*\):.*$(1) \(.*\)/make \1: \2/p' Makefile tests/tests.mk

.PHONY: help
help: #- print the targets that are needed most, and the variables
	@echo "make: build ./cg2wg"
	@$(call shown_targets,##)
	@echo "make help-all: list the other targets"
	@echo
	@echo "CC, CFLAGS, CPPFLAGS, LDFLAGS: as everywhere (now: $(CC) $(CFLAGS))"
	@echo "V=1: show whole commands             -jN: N jobs at once; default: one per core"
	@echo "WERROR=-Werror: warnings are errors  BUILD=dir: build elsewhere"
	@echo "T=name: with make test, check or quick, run only this test: test_events, options; T='a b': several"
	@echo "PREFIX, DESTDIR, BINDIR, LIBDIR, INCLUDEDIR, MANDIR: where to install (now: $(PREFIX), $(LIBDIR))"

.PHONY: help-all
help-all: #- print the other targets, and the variables for packagers
	@$(call shown_targets,#-)
	@echo
	@echo "BASHCOMPDIR, ZSHCOMPDIR, FISHCOMPDIR: where to install completions"
	@echo "COMPLETIONS=: build no completions, if the built program cannot run here"
	@echo "LIBRARIES=shared: without the static library; LIBRARIES=: the program alone"
	@echo "DEBUGDIR=dir: make install puts debug data below this folder, such as /usr/lib/debug"
	@echo "HOMEPAGE=URL: the project's page, named in the manual page, cg2wg.pc and the Debian packages"
	@echo "HARDENING=, HARDENING_LDFLAGS=: without these flags, where a compiler or linker lacks them"
