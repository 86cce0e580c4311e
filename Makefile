# cg2wg: callgrind, cachegrind and aprof profiles to webgrind's preprocessed formats.
# `make help` lists the targets and the variables.

CC ?= cc
CFLAGS ?= -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
WERROR ?= -Werror
PREFIX ?= /usr/local
BUILD ?= build

# What differs between systems is in files named for them: X_posix.c, X_windows.c.
SYSTEM ?= posix
OTHER_SYSTEM = $(filter-out $(SYSTEM),posix windows)
sources = $(filter-out %_$(OTHER_SYSTEM).c,$(wildcard $(1:%=%/*.c)))

# On Windows: the declarations of version 7; printf as C11 has it.
CPPFLAGS_windows = -D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1
EXE_windows = .exe

CPPFLAGS += -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 $(CPPFLAGS_$(SYSTEM)) -Iinclude -Isrc

# What makes bugs harder to exploit. The C library's checks need optimisation.
OPTIMISED = $(filter-out -O0,$(filter -O%,$(CFLAGS)))
HARDENING ?= -fstack-protector-strong -fPIE $(if $(OPTIMISED),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDENING_LDFLAGS ?= $(if $(filter -static%,$(LDFLAGS)),,-pie) -Wl,-z,relro,-z,now

# Where it is built is not to be seen in what is built.
ALL_CFLAGS = -std=c11 -pthread $(WARNINGS) $(WERROR) $(HARDENING) '-ffile-prefix-map=$(CURDIR)=.' $(CFLAGS)
ALL_LDFLAGS = $(HARDENING_LDFLAGS) $(LDFLAGS)

LIB_SOURCES := $(call sources,src src/util src/io src/model src/frontends src/webgrind)
CLI_SOURCES := $(call sources,src/cli)
HEADERS := $(wildcard include/*.h src/*/*.h)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
OBJECTS := $(LIB_OBJECTS) $(CLI_OBJECTS)

# The program and the library stand at the top, unless it is a build of another kind.
ifeq ($(BUILD),build)
PROGRAM = cg2wg$(EXE_$(SYSTEM))
else
PROGRAM = $(BUILD)/cg2wg$(EXE_$(SYSTEM))
endif
LIBRARY = $(BUILD)/libcg2wg.a

.PHONY: all
all: $(PROGRAM)

$(PROGRAM): $(CLI_OBJECTS) $(LIBRARY)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

$(LIBRARY): $(LIB_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d)

include tests/tests.mk

.PHONY: demo
demo: $(PROGRAM) ## convert two bundled real profiles and show their costliest functions
	@tests/demo.sh ./$(PROGRAM)

.PHONY: install
install: $(PROGRAM) ## install program, manual page and completion below $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/cg2wg
	install -m 644 docs/cg2wg.1 $(DESTDIR)$(PREFIX)/share/man/man1/cg2wg.1
	install -m 644 docs/cg2wg.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/cg2wg

.PHONY: uninstall
uninstall: ## remove what install has installed
	rm -f $(DESTDIR)$(PREFIX)/bin/cg2wg $(DESTDIR)$(PREFIX)/share/man/man1/cg2wg.1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/cg2wg

# musl makes small static programs; any other C library will do.
STATIC_CC ?= $(if $(shell command -v musl-gcc 2>/dev/null),musl-gcc,$(CC))

.PHONY: static
static: ## a program that needs no library at all: build-static/cg2wg (by musl-gcc, if it is there)
	@$(MAKE) --no-print-directory BUILD=build-static CC='$(STATIC_CC)' CFLAGS='-O2 -ffunction-sections \
		-fdata-sections' LDFLAGS='-static -s -Wl,--gc-sections' all

WINDOWS_CC ?= x86_64-w64-mingw32-gcc

# GCC does not align the stack to 32 bytes there (its bug 54412), so no instruction may rely on that.
.PHONY: windows
windows: ## a program for 64-bit Windows, by MinGW-w64: build-windows/cg2wg.exe
	@$(MAKE) --no-print-directory BUILD=build-windows SYSTEM=windows CC='$(WINDOWS_CC)' \
		AR='$(WINDOWS_CC:gcc=ar)' \
		CFLAGS='-O2 -ffunction-sections -fdata-sections -Wa,-muse-unaligned-vector-move' \
		HARDENING='-fstack-protector-strong' HARDENING_LDFLAGS='-Wl,--dynamicbase,--nxcompat,--high-entropy-va' \
		LDFLAGS='-static -s -Wl,--gc-sections' all

VERSION = $(shell sed -n 's/^\#define CG2WG_VERSION "\(.*\)"$$/\1/p' include/cg2wg.h)

# The times in it are those of the commit, so that the same commit gives the same bytes.
.PHONY: dist
dist: ## the source of the last commit: cg2wg-VERSION.tar.gz
	git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix=cg2wg-$(VERSION)/ HEAD | \
		gzip -9 -n >cg2wg-$(VERSION).tar.gz

.PHONY: clean
clean: ## remove everything that was built
	rm -rf build build-* cg2wg cg2wg-*.tar.gz

.PHONY: help
help: ## this list
	@echo "make: build ./cg2wg"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1: \2/p' Makefile tests/tests.mk
	@echo
	@echo "CC, CFLAGS, CPPFLAGS, LDFLAGS: as everywhere (now: $(CC) $(CFLAGS))"
	@echo "WERROR=: warnings are no errors      BUILD=dir: build elsewhere"
	@echo "HARDENING=, HARDENING_LDFLAGS=: without these flags, where a compiler or linker lacks them"
	@echo "PREFIX, DESTDIR: where to install (now: $(PREFIX))"
