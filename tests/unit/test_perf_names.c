/* SPDX-License-Identifier: MIT */
/*
 * Names of addresses in recordings: symbols of ELF files, of the kernel and its own code, of code that was made at
 * run time, of the vdso, and copies that perf keeps.
 */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <sys/auxv.h>
#endif

/* ---- symbols ------------------------------------------------------------------------------ */

static void symbols_have_ranges(void **state)
{
    static const struct symbol symbols[] = {
        {"outer", TEXT_AT, 0x100, FUNCTION, 0},         {"inner", TEXT_AT + 0x40, 0x20, FUNCTION, 0},
        {"unsized", TEXT_AT + 0x200, 0, FUNCTION, 0},   {"after", TEXT_AT + 0x300, 0x10, FUNCTION, 0},
        {"variable", TEXT_AT + 0x340, 0x10, OBJECT, 0}, {"label", TEXT_AT + 0x400, 0, LABEL, 0},
        {"internal", TEXT_AT + 0x500, 0, LABEL, 1},     {"hidden", TEXT_AT + 0x500, 0, LABEL, 2},
        {"protected", TEXT_AT + 0x600, 0, LABEL, 3}};
    static const uint64_t places[] = {0,     0x3f,  0x40,  0x5f,  0x60,  0xff,  0x100,
                                      0x2ff, 0x30f, 0x310, 0x345, 0x4ff, 0x510, 0x610};
    expect_symbols(symbols, 9, places, 14,
                   ROW("outer", "4") ROW("inner", "2") ROW("[other]", "3") ROW("unsized", "1")
                   ROW("after", "1") ROW("label", "2") ROW("protected", "1") HEADERS("14"));
}

static void the_best_of_several_symbols_is_taken(void **state)
{
    static const struct symbol symbols[] = {
        {"unsized", TEXT_AT, 0, FUNCTION, 0},       {"sized", TEXT_AT, 8, WEAK_FUNCTION, 0},
        {"weak_one", TEXT_AT + 16, 8, WEAK_FUNCTION, 0}, {"local", TEXT_AT + 16, 8, LOCAL_FUNCTION, 0},
        {"local_2", TEXT_AT + 32, 8, LOCAL_FUNCTION, 0}, {"global", TEXT_AT + 32, 8, FUNCTION, 0},
        {"__under", TEXT_AT + 48, 8, FUNCTION, 0},   {"_under", TEXT_AT + 48, 8, FUNCTION, 0},
        {"short", TEXT_AT + 64, 8, FUNCTION, 0},     {"longer", TEXT_AT + 64, 8, FUNCTION, 0},
        {"first", TEXT_AT + 80, 8, FUNCTION, 0},     {"equal", TEXT_AT + 80, 8, FUNCTION, 0}};
    static const uint64_t places[] = {0, 16, 32, 48, 64, 80};
    expect_symbols(symbols, 12, places, 6,
                   ROW("sized", "1") ROW("local", "1") ROW("global", "1") ROW("_under", "1")
                   ROW("longer", "1") ROW("first", "1") HEADERS("6"));
}

/* A segment is as long as it says, even if a symbol at its end or a mapping is longer. */
static void no_symbol_is_beyond_its_segment(void **state)
{
    static const struct symbol last = {"last", TEXT_AT + 0xff0, 0x100, FUNCTION, 0};
    static const uint64_t places[] = {0xfef, 0xff0, 0xfff, 0x1000, 0x1001};
    struct recording r = begin();
    map(&r, 5, 0, 0x7000, 0x2000, 0x1000, "/srv/other");
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        sample(&r, 10 + i, 1, STACK(USER, 0x7000 + places[i], IN_USER, 0x7000 + places[i]));
    write_in_root("other", elf(true, 62, 2, own_id, &last, 1));
    expect(finish(&r), NULL, "", ROW("[other]", "3") ROW("last", "2") HEADERS("5"));
    remove_from_root("other");
}

/* The kernel adds the mark to the name of a file that is gone; another one may be called that. */
static void a_deleted_file_has_no_symbols(void **state)
{
    struct recording r = begin();
    write_in_root("other (deleted)", elf(true, 62, 2, own_id, usual_symbols, 3));
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "/srv/other (deleted)");
    sample(&r, 10, 1, STACK(USER, 0x7000, IN_USER, 0x7000));
    expect(finish(&r), NULL, "", "/srv/other (deleted) [other (deleted)] line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
    remove_from_root("other (deleted)");
}

/* Of many objects without symbols, the first are named. */
static void a_message_names_some_objects(void **state)
{
    enum { OBJECTS = 30 };
    struct cg2wg_options options = with_root();
    struct recording r = begin();
    for (unsigned i = 0; i < OBJECTS; i++) {
        char name[40];
        snprintf(name, sizeof name, "/srv/a-library-of-some-length-%02u.so", i);
        map(&r, 5, 0, 0x10000 * (i + 1), 0x1000, 0, name);
        sample(&r, 10 + i, 1, STACK(USER, 0x10000 * (i + 1), IN_USER));
    }
    struct conversion_result result = convert(finish(&r), &options);
    const char *first = strstr(result.messages, "for /srv/a-library-of-some-length-00.so, /srv/a-library-of-some-length-01.so,"),
               *rest = strstr(result.messages, ".so, ...: each is one row");
    assert_non_null(first);
    assert_non_null(rest);
    assert_in_range(rest - first, 300, 420);
    conversion_free(&result);
}

static void arm_marks_are_no_functions(void **state)
{
    static const struct symbol symbols[] = {{"thumb", TEXT_AT + 1, 8, FUNCTION, 0},
                                            {"$x", TEXT_AT + 4, 0, LABEL & 0xf, 0},
                                            {"$d.7", TEXT_AT + 4, 0, LABEL & 0xf, 0}};
    static const struct symbol of_risc_v[] = {{"code", TEXT_AT, 8, FUNCTION, 0},
                                              {"$xrv64i2p1", TEXT_AT + 4, 0, LABEL & 0xf, 0}};
    static const uint64_t places[] = {0, 5};
    write_in_root("other", elf(false, 40, 2, own_id, symbols, 3));
    expect(sample_places(places, 2), NULL, "", ROW("thumb", "2") HEADERS("2"));
    write_in_root("other", elf(true, 243, 2, own_id, of_risc_v, 2));
    expect(sample_places(places, 2), NULL, "", ROW("code", "2") HEADERS("2"));
    remove_from_root("other");
}

/* Only of ARM's functions: the lowest bit of an address is not part of it. */
static void odd_addresses_stay(void **state)
{
    static const struct {
        unsigned machine, info;
    } cases[] = {{40, LABEL & 0xf}, {62, FUNCTION}};
    static const uint64_t places[] = {16, 17};
    for (size_t i = 0; i < 2; i++) {
        const struct symbol symbols[] = {{"before", TEXT_AT, 17, FUNCTION, 0},
                                         {"odd", TEXT_AT + 17, 8, cases[i].info, 0}};
        write_in_root("other", elf(true, cases[i].machine, 2, own_id, symbols, 2));
        expect(sample_places(places, 2), NULL, "", ROW("before", "1") ROW("odd", "1") HEADERS("2"));
        remove_from_root("other");
    }
}

static void symbols_of_another_build_are_not_taken(void **state)
{
    static const char warning[] = NO_SYMBOLS("/srv/prog");
    static const char row[] = "/srv/prog [prog] line=0 self=7 incl=7 inv=1\n" HEADERS("7");
    for (int i = 0; i < 4; i++) {
        const unsigned char *id = i % 2 == 0 ? own_id : other_id;
        struct recording r = begin();
        if (i < 2)
            put_build_id(&r, id, "/srv/prog");
        map2(&r, 5, 0, 5, i < 2 ? NULL : id, "/srv/prog");
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
        expect(finish(&r), NULL, i % 2 == 0 ? "" : warning,
               i % 2 == 0 ? "/srv/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7") : row);
    }
    /* The id of a file may be shorter; perf fills it up with zeros. */
    enum { NOTE_SIZE_AT = 64 + 2 * 56 + 4 };
    static const unsigned char short_id[20] = "sixteen bytes id";
    struct recording r = begin();
    struct bytes b = elf(true, 62, 2, short_id, usual_symbols, 3);
    set(&b, NOTE_SIZE_AT, 16, 4);
    write_in_root("other", b);
    put_build_id(&r, short_id, "/srv/other");
    map2(&r, 5, 0, 5, NULL, "/srv/other");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "", "/srv/other f line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    remove_from_root("other");
}

/* A file without usable symbols is one row, for any reason. */
static void odd_sections_are_no_symbols(void **state)
{
    static const struct {
        int section; /* 1 to 3 as elf() puts them, or the header */
        size_t field, size;
        uint64_t value;
        bool is_usable;
    } cases[] = {
        {2, TYPE_AT, 4, 0, false},                        /* no table of symbols */
        {2, LINK_AT, 4, 4, false},                        /* names in a section that does not exist */
        {2, LINK_AT, 4, 1, false},                        /* or in the code */
        {2, ENTRY_SIZE_AT, 8, 16, false},                 /* entries of the other class */
        {2, ENTRY_SIZE_AT, 8, 24 * 4 + 1, false},         /* an entry longer than the table */
        {2, OFFSET_AT, 8, 0x2000 - 95, false},            /* a table that ends beyond the file */
        {2, OFFSET_AT, 8, UINT64_MAX, false},
        {2, SIZE_AT, 8, UINT64_MAX, false},
        {2, SIZE_AT, 8, 24, false},                       /* only the entry that is none */
        {3, OFFSET_AT, 8, UINT64_MAX, false},             /* names beyond the file */
        {3, SIZE_AT, 8, 1, false},                        /* no name is within the section */
        {1, ADDRESS_AT, 8, 0, true},
        {0, SECTION_SIZE, 2, 63, false},                  /* sections that are too short */
        {0, SECTIONS_AT, 8, UINT64_MAX, false},           /* or beyond the file */
        {0, SECTION_COUNT, 2, 0xffff, false},             /* more of them than there is room for */
        {0, SEGMENT_SIZE, 2, 55, false},
    };
    static const uint64_t places[] = {0x110};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes b = elf(true, 62, 2, own_id, usual_symbols, 3);
        size_t at = cases[i].section == 0 ? cases[i].field
                                          : section_field(&b, (size_t)cases[i].section, cases[i].field);
        set(&b, at, cases[i].value, cases[i].size);
        write_in_root("other", b);
        expect(sample_places(places, 1), NULL, cases[i].is_usable ? "" : NO_SYMBOLS("/srv/other"),
               cases[i].is_usable ? ROW("f", "1") HEADERS("1") : ROW("[other]", "1") HEADERS("1"));
    }
    remove_from_root("other");
}

/* The header says 0; the first section, which is none, has the number in place of its size. */
static void many_sections_are_counted_by_the_first(void **state)
{
    static const uint64_t places[] = {0x110};
    static const struct {
        uint64_t count;
        const char *row;
    } cases[] = {{4, "f"}, {2, "[other]"}, {UINT64_MAX, "[other]"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes b = elf(true, 62, 2, own_id, usual_symbols, 3);
        char dump[200];
        set(&b, SECTION_COUNT, 0, 2);
        set(&b, section_field(&b, 0, SIZE_AT), cases[i].count, 8);
        write_in_root("other", b);
        snprintf(dump, sizeof dump, ROW("%s", "1") HEADERS("1"), cases[i].row);
        expect(sample_places(places, 1), NULL, i == 0 ? "" : NO_SYMBOLS("/srv/other"), dump);
    }
    remove_from_root("other");
}

/* A symbol, or if that has no size, its section: what would end beyond the last address ends there. */
static void symbols_may_end_beyond_all_addresses(void **state)
{
    static const struct symbol symbols[] = {{"f", TEXT_AT, UINT64_MAX, FUNCTION, 0}, {"f", TEXT_AT, 0, FUNCTION, 0}};
    static const uint64_t places[] = {0, 0xfff};
    for (size_t i = 0; i < 2; i++) {
        struct bytes b = elf(true, 62, 2, own_id, &symbols[i], 1);
        set(&b, section_field(&b, 1, SIZE_AT), UINT64_MAX, 8);
        write_in_root("other", b);
        expect(sample_places(places, 2), NULL, "", ROW("f", "2") HEADERS("2"));
    }
    remove_from_root("other");
}

static void each_context_begins_exactly(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("ffff0200 t vfs_read\tignored\nffff0100 T sys_read\nffff0300 D data\n" /* not sorted */
                                               "ffff0400 t helper\t[ext4]\nffff0400 T last_of_several [ext4]\n");
    map_program(&r);
    /* f, at its first byte, is in the kernel: called from main. */
    sample(&r, 10, 7, STACK(KERNEL, 0xffff0210, IN_KERNEL, 0xffff0210, 0xffff0110, IN_USER, 0x7100, MAIN));
    sample(&r, 11, 1, STACK(KERNEL, 0xffff0410, IN_KERNEL, 0xffff0410));
    sample(&r, 12, 2, STACK(KERNEL, 0xffff0310, IN_KERNEL, 0xffff0310)); /* data */
    expect(finish(&r), &options, "",
           "/srv/prog main line=0 self=0 incl=7 inv=1\n  to f:0 x1 =7\n"
           "/srv/prog f line=0 self=0 incl=7 inv=1\n  from main:0 x1 =7\n  to sys_read:0 x1 =7\n"
           "[kernel.kallsyms] sys_read line=0 self=0 incl=7 inv=1\n  from f:0 x1 =7\n"
           "  to vfs_read:0 x1 =7\n"
           "[kernel.kallsyms] vfs_read line=0 self=7 incl=7 inv=1\n  from sys_read:0 x1 =7\n"
           "[ext4] last_of_several line=0 self=1 incl=1 inv=1\n"
           "[kernel.kallsyms] [kernel.kallsyms] line=0 self=2 incl=2 inv=1\n" HEADERS("10"));
}

/* The kernel was 0x1000 further on than the table has it. */
static void the_kernel_may_have_moved(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("ffff0000 T _stext\nffff0100 T sys_read\nffff0200 T other\n");
    map(&r, UINT32_MAX, 0, 0xffff1000, 0x1000, 0xffff1000, "[kernel.kallsyms]_stext");
    sample(&r, 10, 7, STACK(KERNEL, 0xffff1110, IN_KERNEL, 0xffff1110));
    expect(finish(&r), &options, "", "[kernel.kallsyms] sys_read line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
}

/* As perf report shows them, with and without symbols. */
static void modules_of_the_kernel_are_objects(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("ffff0000 T _stext\nffff8100 t poll\t[nvidia]\n");
    map(&r, UINT32_MAX, 0, 0xffff8000, 0x1000, 0, "[nvidia]");
    map(&r, UINT32_MAX, 0, 0xffffa000, 0x1000, 0, "/lib/modules/6.1.0/kernel/sound/core/snd-pcm.ko.xz");
    sample(&r, 10, 1, STACK(KERNEL, 0xffff8110, IN_KERNEL, 0xffff8110));
    sample(&r, 11, 2, STACK(KERNEL, 0xffffa010, IN_KERNEL, 0xffffa010));
    expect(finish(&r), &options, NO_SYMBOLS("[snd_pcm]"),
           "[nvidia] poll line=0 self=1 incl=1 inv=1\n[snd_pcm] [snd_pcm] line=0 self=2 incl=2 inv=1\n" HEADERS("3"));
}

/* A table without addresses is none, but it is an error only if the user has named it. */
static void a_table_of_the_kernel_has_addresses(void **state)
{
    struct cg2wg_options options = with_kernel("0 T _stext\n0 T sys_read\n");
    struct recording r = begin(), again = begin();
    sample(&r, 10, 7, STACK(KERNEL, 0xffff1110, IN_KERNEL, 0xffff1110));
    sample(&again, 10, 7, STACK(KERNEL, 0xffff1110, IN_KERNEL, 0xffff1110));
    struct conversion_result result = convert(finish(&r), &options);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_non_null(strstr(result.messages, "this file has no symbols of a kernel; it needs lines"));
    conversion_free(&result);
    options.samples.kernel_table = NULL;
    expect(finish(&again), &options, NO_SYMBOLS("[kernel.kallsyms]"),
           "[kernel.kallsyms] [kernel.kallsyms] line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
}

/* Lines that are no symbols are skipped; the last symbol ends with the page after its own. */
static void odd_lines_of_the_kernels_table_are_passed_over(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("\nnonsense\nffff0100\nffff0110 \nffff0120 T\nffff0130 T \n"
                                               "ffff0140T name\nffff0000 T first\nffff0180 a absolute\nffff1000 W last_one [");
    map(&r, UINT32_MAX, 0, 0xffff0000, 0x1000, 0xffff0000, "[kernel.kallsyms]not_there");
    sample(&r, 10, 1, STACK(KERNEL, 0xffff0150, IN_KERNEL, 0xffff0150));
    sample(&r, 11, 2, STACK(KERNEL, 0xffff0190, IN_KERNEL, 0xffff0190)); /* absolute: no function */
    sample(&r, 12, 4, STACK(KERNEL, 0xffff1fff, IN_KERNEL, 0xffff1fff));
    sample(&r, 13, 8, STACK(KERNEL, 0xffff2000, IN_KERNEL, 0xffff2000));
    expect(finish(&r), &options, "",
           "[kernel.kallsyms] first line=0 self=1 incl=1 inv=1\n"
           "[kernel.kallsyms] [kernel.kallsyms] line=0 self=10 incl=10 inv=2\n"
           "[ last_one line=0 self=4 incl=4 inv=1\n" HEADERS("15"));
    write_text_in_root("kallsyms", "fffffffffffff000 T last\n");
    r = begin();
    sample(&r, 10, 1, STACK(KERNEL, UINT64_MAX - 4095, IN_KERNEL, UINT64_MAX - 4095));
    expect(finish(&r), &options, "", "[kernel.kallsyms] last line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
}

static void the_kernels_own_symbols_come_and_go(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("ffff0000 T below\nffffff00 T above\n");
    kernel_symbol(&r, 1, 0xffff8000, 0x100, 1, 0, "bpf_prog_1");
    kernel_symbol(&r, 1, 0xffff9000, 0x100, 2, 0, "out_of_line");
    sample(&r, 10, 1, STACK(KERNEL, 0xffff8080, IN_KERNEL, 0xffff8080));
    sample(&r, 11, 2, STACK(KERNEL, 0xffff9080, IN_KERNEL, 0xffff9080));
    kernel_symbol(&r, 12, 0xffff8000, 0x100, 1, 1, "bpf_prog_1");
    sample(&r, 13, 4, STACK(KERNEL, 0xffff8080, IN_KERNEL, 0xffff8080));
    kernel_symbol(&r, 14, 0xffff9040, 0x40, 2, 1, "out_of_line"); /* the middle; what is around it stays */
    sample(&r, 15, 8, STACK(KERNEL, 0xffff903f, IN_KERNEL, 0xffff903f));
    sample(&r, 16, 16, STACK(KERNEL, 0xffff9040, IN_KERNEL, 0xffff9040));
    sample(&r, 17, 32, STACK(KERNEL, 0xffff9080, IN_KERNEL, 0xffff9080));
    expect(finish(&r), &options, "",
           "[bpf] bpf_prog_1 line=0 self=1 incl=1 inv=1\n"
           "[kernel.kallsyms] out_of_line line=0 self=42 incl=42 inv=3\n"
           "[kernel.kallsyms] below line=0 self=20 incl=20 inv=2\n" HEADERS("63"));
}

#ifdef __linux__
/* The name and place of the first global function of this process's vdso, and its build-id. False: it has none. */
static bool find_in_vdso(const char **name, uint64_t *place, struct text *id)
{
    const char *at = (const char *)getauxval(AT_SYSINFO_EHDR);
    const ElfW(Ehdr) *header = (const void *)at;
    const ElfW(Shdr) *sections = (const void *)(at + (header != NULL ? header->e_shoff : 0));
    bool is_found = false;
    *id = text_of("", 0);
    for (unsigned i = 0; header != NULL && header->e_ident[EI_DATA] == ELFDATA2LSB && i < header->e_shnum; i++) {
        const ElfW(Sym) *symbols = (const void *)(at + sections[i].sh_offset);
        for (size_t k = 0; sections[i].sh_type == SHT_NOTE && k + 36 <= sections[i].sh_size; k += 4)
            if (memcmp(at + sections[i].sh_offset + k, "\4\0\0\0\x14\0\0\0\3\0\0\0GNU", 16) == 0)
                *id = text_of(at + sections[i].sh_offset + k + 16, 20);
        for (size_t k = 1; sections[i].sh_type == SHT_DYNSYM && k < sections[i].sh_size / sizeof *symbols; k++) {
            if (symbols[k].st_info != FUNCTION || symbols[k].st_size == 0 || is_found)
                continue;
            is_found = true;
            *place = symbols[k].st_value + symbols[k].st_size / 2;
            *name = at + sections[sections[i].sh_link].sh_offset + symbols[k].st_name;
        }
    }
    return is_found;
}

/* Are there debug data of the vdso, which may have other names for its functions? */
static bool has_debug_data(struct text id)
{
    char path[100];
    int length = snprintf(path, sizeof path, "/usr/lib/debug/.build-id/");
    for (const char *p = id.at; p < id.end; p++)
        length += snprintf(path + length, sizeof path - (size_t)length, p == id.at ? "%02x/" : "%02x",
                           (unsigned char)*p);
    snprintf(path + length, sizeof path - (size_t)length, ".debug");
    return access(path, F_OK) == 0;
}

/* Of a recording of this machine and kernel: by their names, or by the build-id. */
static void the_vdso_is_that_of_this_process(void **state)
{
    enum { SAME, OTHER_HOST, OTHER_RELEASE, NO_NAMES, OTHER_KERNEL, SAME_ID, OTHER_ID, BELOW_A_ROOT, COUNT };
    struct utsname own;
    const char *name = NULL;
    uint64_t place = 0;
    struct text id;
    if (!find_in_vdso(&name, &place, &id) || has_debug_data(id))
        skip();
    assert_true(uname(&own) >= 0);
    for (int kind = 0; kind < COUNT; kind++) {
        char dump[400];
        struct cg2wg_options options = default_options();
        struct recording r = begin();
        if (kind == BELOW_A_ROOT)
            options = with_root();
        if (kind == SAME_ID && !text_is_empty(id))
            put_build_id(&r, (const unsigned char *)id.at, "[vdso]");
        else if (kind == OTHER_ID || kind == OTHER_KERNEL)
            put_build_id(&r, other_id, kind == OTHER_ID ? "[vdso]" : "[kernel.kallsyms]");
        if (kind != NO_NAMES && kind != SAME_ID) {
            put_string(feature(&r, 3), kind == OTHER_HOST ? "other" : own.nodename);
            put_string(feature(&r, 4), kind == OTHER_RELEASE ? "2.6" : own.release);
        }
        map(&r, 5, 0, 0x7000, 0x8000, 0, "[vdso]");
        sample(&r, 10, 7, STACK(USER, 0x7000 + place, IN_USER));
        snprintf(dump, sizeof dump, "[vdso] %s line=0 self=7 incl=7 inv=1\n" HEADERS("7"),
                 kind == SAME || (kind == SAME_ID && !text_is_empty(id)) ? name : "[vdso]");
        expect(finish(&r), &options, "", dump);
    }
}
#endif

/* The last line that holds an address is right: code is replaced. */
static void made_code_has_a_map(void **state)
{
    struct recording r = begin();
    write_text_in_root("perf-5.map", "7000 200 old one\nnonsense\n0x7100 10 new\n7300 0 nothing\n7400 10 \n");
    map(&r, 5, 0, 0x7000, 0x1000, 0, "//anon");
    sample(&r, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
    sample(&r, 11, 2, STACK(USER, 0x7105, IN_USER, 0x7105));
    sample(&r, 12, 4, STACK(USER, 0x7120, IN_USER, 0x7120));
    sample(&r, 13, 8, STACK(USER, 0x7300, IN_USER, 0x7300));
    map(&r, 5, 0, UINT64_MAX - 0x1fff, 0x3000, 0, "//anon"); /* beyond the last address */
    sample(&r, 14, 16, STACK(USER, UINT64_MAX - 0x1fef, IN_USER, UINT64_MAX - 0x1fef));
    expect(finish(&r), NULL, "",
           "[JIT] old one line=0 self=5 incl=5 inv=2\n[JIT] new line=0 self=2 incl=2 inv=1\n"
           "[JIT] [JIT] line=0 self=24 incl=24 inv=2\n" HEADERS("31"));
    remove_from_root("perf-5.map");
}

/* All names that the kernel gives to memory which is no file's: the map speaks of its addresses. */
static void made_code_is_in_any_memory(void **state)
{
    static const char *const names[] = {"//anon", "[heap]", "[stack]", "[stack:77]", "/SYSV00000000 (deleted)",
                                        "/dev/zero", "/dev/zero (deleted)", "/anon_hugepage (deleted)",
                                        "/memfd:doublemapper (deleted)", "[anon:v8]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct recording r = begin();
        write_text_in_root("perf-5.map", "7000 200 made\n");
        map(&r, 5, 0, 0x7000, 0x1000, 0x3000, names[i]);
        sample(&r, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
        expect(finish(&r), NULL, "", "[JIT] made line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
        remove_from_root("perf-5.map");
    }
}

/* In folders that perf makes: ~/.debug/.build-id/xx/yyyy.../elf, and another for kernels. */
static void copies_of_perf_are_found_by_build_id(void **state)
{
    static const unsigned char id[20] = "\x01\xf0\x0a\xa0 is how it start";
    static const char copies[] = ".debug/.build-id/01/f00aa020697320686f77206974207374617274";
    static const char kernels[] = ".debug/[kernel.kallsyms]/01f00aa020697320686f77206974207374617274";
    char name[200];
    struct cg2wg_options options = default_options();
    command_in_root("mkdir -p", copies);
    command_in_root("mkdir -p", kernels);
    snprintf(name, sizeof name, "%s/elf", copies);
    write_in_root(name, elf(true, 62, 2, id, usual_symbols, 3));
    struct recording r = begin();
    map2(&r, 5, 0, 5, id, "/nonexistent/prog");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    expect(finish(&r), &options, "", "/nonexistent/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    remove_from_root(name);

    /* A file with the same build-id has been stripped since. */
    static const struct symbol exported = {"exported", TEXT_AT, 0x300, FUNCTION, 0};
    char *stripped = scratch_path("stripped");
    write_in_root("stripped", elf(true, 62, 11, id, &exported, 1));
    for (size_t i = 0; i < 3; i++) {
        char dump[400];
        snprintf(name, sizeof name, "%s/%s", copies, i == 0 ? "elf" : i == 1 ? "debug" : "other");
        write_in_root(name, elf(true, 62, 2, id, usual_symbols, 3));
        r = begin();
        map2(&r, 5, 0, 5, id, stripped);
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
        snprintf(dump, sizeof dump, "%s %s line=0 self=7 incl=7 inv=1\n" HEADERS("7"), stripped,
                 i < 2 ? "f" : "exported");
        expect(finish(&r), &options, "", dump);
        remove_from_root(name);
    }
    remove_from_root("stripped");
    free(stripped);

    snprintf(name, sizeof name, "%s/kallsyms", kernels);
    write_text_in_root(name, "ffff0100 T sys_read\nffff0200 T other\n");
    r = begin();
    put_build_id(&r, id, "[kernel.kallsyms]");
    sample(&r, 10, 7, STACK(KERNEL, 0xffff0110, IN_KERNEL, 0xffff0110));
    expect(finish(&r), &options, "", "[kernel.kallsyms] sys_read line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    remove_from_root(name);

    command_in_root("rm -r", ".debug");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_have_ranges),
        cmocka_unit_test(the_best_of_several_symbols_is_taken),
        cmocka_unit_test(a_message_names_some_objects),
        cmocka_unit_test(arm_marks_are_no_functions),
        cmocka_unit_test(odd_addresses_stay),
        cmocka_unit_test(symbols_of_another_build_are_not_taken),
        cmocka_unit_test(odd_sections_are_no_symbols),
        cmocka_unit_test(many_sections_are_counted_by_the_first),
        cmocka_unit_test(symbols_may_end_beyond_all_addresses),
        cmocka_unit_test(each_context_begins_exactly),
        cmocka_unit_test(the_kernel_may_have_moved),
        cmocka_unit_test(modules_of_the_kernel_are_objects),
        cmocka_unit_test(a_table_of_the_kernel_has_addresses),
        cmocka_unit_test(odd_lines_of_the_kernels_table_are_passed_over),
        cmocka_unit_test(the_kernels_own_symbols_come_and_go),
#ifdef __linux__
        cmocka_unit_test(the_vdso_is_that_of_this_process),
#endif
        cmocka_unit_test(no_symbol_is_beyond_its_segment),
        cmocka_unit_test(a_deleted_file_has_no_symbols),
        cmocka_unit_test(made_code_has_a_map),
        cmocka_unit_test(made_code_is_in_any_memory),
        cmocka_unit_test(copies_of_perf_are_found_by_build_id),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}
