# SPDX-License-Identifier: MIT
# Tests. Every file in tests/unit is a program of its own; tests/cli is a shell suite.

TEST_SOURCES := $(wildcard tests/unit/test_*.c)
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(BUILD)/%)
TEST_SUPPORT := $(BUILD)/tests/support.o $(BUILD)/tests/files.o $(BUILD)/tests/preprocessed_file.o
TEST_CPPFLAGS = -Itests

# Fuzzing: tests/fuzz/fuzz_NAME.c is a target. Without clang it replays the inputs that are kept.
FUZZ_SOURCES := $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_TARGETS := $(FUZZ_SOURCES:tests/fuzz/fuzz_%.c=%)
FUZZ_REPLAYS := $(FUZZ_SOURCES:%.c=$(BUILD)/%)
FUZZERS := $(FUZZ_SOURCES:%.c=$(BUILD)/%-libfuzzer)
FUZZ_SUPPORT := $(BUILD)/tests/fuzz/fuzz.o $(BUILD)/tests/files.o $(BUILD)/tests/preprocessed_file.o \
	$(filter-out %/main.o,$(CLI_OBJECTS)) $(LIBRARY)
FUZZ_TARGET ?= $(FUZZ_TARGETS)
FUZZ_TIME ?= 60

# The program once more, with system calls that tests can make fail: see tests/faults.
FAULT_TEST := $(BUILD)/tests/faults/test_faults
FAULT_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/interposed/%.o) $(CLI_SOURCES:%.c=$(BUILD)/interposed/%.o) \
	$(BUILD)/src/view/page_parts.o
FAULT_SUPPORT := $(BUILD)/tests/faults/interpose.o
# Small sizes, so that many operations call the system
FAULT_SIZES = -DOUTFILE_BUFFER=64 -DMEMORY_EXPECTED=4096 -DRECORDS_CHUNK=64 -DLINES_BLOCK=4096 -DARRAY_FIRST_CAPACITY=1 \
	-DNAMES_CHUNK=16 -DINDEX_FIRST_SLOTS=8 -DWINDOW_ROWS=2

# Combinations of inputs and options: see tests/combinations.
COMBINATIONS := $(BUILD)/tests/combinations/combinations
COMBINATIONS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/combinations/*.c))

# Tests that take half a second of processor time or more. `make quick` leaves them out, so that the others take five.
LONG_TESTS := $(filter %/test_fast %/test_locale %/test_outermost %/test_every_prefix %/test_generated %/test_inflate \
	%/test_perf_limits %/test_progress %/test_page %/test_escape %/test_recursion %/test_perf %/test_aprof %/test_lines \
	%/test_perf_files %/test_perf_script %/test_library,$(TEST_PROGRAMS))
SHORT_TESTS := $(filter-out $(LONG_TESTS),$(TEST_PROGRAMS))
SUITES := $(wildcard tests/cli/*.sh)
# The slowest begin first, so that none of them runs alone at the end.
SLOWEST := $(FAULT_TEST) $(COMBINATIONS) $(foreach s,limits print perf signals storage input,$(filter %/$s.sh,$(SUITES))) $(LONG_TESTS)
ALL_TESTS := $(SLOWEST) $(filter-out $(SLOWEST),$(SUITES)) $(FUZZ_REPLAYS) $(SHORT_TESTS)

# T=name: the program of that name, with or without test_ in front, and the suite; each once
T ?=
called = $(or $(filter %/$t %/test_$t %/$t.sh,$(ALL_TESTS)),$(error no test is called $t))
chosen = $(if $(T),$(filter $(foreach t,$(T),$(called)),$(ALL_TESTS)),$(1))

BENCH_TOOL := $(BUILD)/tests/bench/generate
HOSTILE_TOOL := $(BUILD)/tests/bench/hostile

.PHONY: test
test: ## run all tests, or T=name; installs what they need if it is missing
	@tests/install-tools.sh --needed 2>/dev/null || $(MAKE) --no-print-directory test-tools
	@$(MAKE) --no-print-directory run-tests

.PHONY: quick
quick: ## run the unit tests without the long ones
	@tests/install-tools.sh --needed 2>/dev/null || $(MAKE) --no-print-directory test-tools
	@$(MAKE) --no-print-directory run-quick

# For whoever makes packages: nothing is installed, and what is missing is named.
.PHONY: check
check: ## run all tests, or T=name; installs nothing
	@tests/install-tools.sh --needed
	@$(MAKE) --no-print-directory run-tests

.PHONY: test-tools
test-tools: #- install what the tests need and this machine lacks
	@tests/install-tools.sh

# Everything is built before the first test begins, because some tests measure times.
.PHONY: run-tests run-quick
run-tests: RUN = $(call chosen,$(ALL_TESTS))
run-quick: RUN = $(call chosen,$(SHORT_TESTS))
run-tests: $(PROGRAM) $(PUBLIC_LIBRARIES) $(call chosen,$(ALL_TESTS))
run-quick: $(PROGRAM) $(call chosen,$(SHORT_TESTS))
run-tests run-quick:
	@RUNNER="$(RUNNER)" JOBS="$(JOBS)" tests/run.sh ./$(PROGRAM) $(RUN)

# What runs for a moment takes longer to optimise than to run. Without optimisation, nothing can be fortified.
UNOPTIMISED = -O0 -U_FORTIFY_SOURCE

$(BUILD)/tests/%.o: ALL_CPPFLAGS += $(TEST_CPPFLAGS)
$(BUILD)/tests/%.o: ALL_CFLAGS += $(UNOPTIMISED)
# cmocka gives each test a state, which most do not use.
$(BUILD)/tests/%.o: WARNINGS += -Wno-unused-parameter

$(TEST_PROGRAMS): $(BUILD)/%: $(BUILD)/%.o $(TEST_SUPPORT) $(LIBRARY)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(COUNT_THREADS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka -lm

# Parts of the program that are tested but are not in the library.
$(BUILD)/tests/unit/test_bar: $(BUILD)/src/cli/messages.o $(BUILD)/src/cli/host_$(SYSTEM).o

# Small windows for rows of invocations, and small chunks of the log of records, so that there are several.
SMALL := $(patsubst %,$(BUILD)/small/src/%.o,write/formats model/records model/builder)
$(BUILD)/tests/unit/test_generated: $(BUILD)/tests/generator.o $(SMALL)
$(BUILD)/tests/unit/test_fast: $(BUILD)/tests/generator.o

$(filter $(BUILD)/tests/unit/test_perf%,$(TEST_PROGRAMS)): $(BUILD)/tests/recording.o

$(BUILD)/small/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -DWINDOW_ROWS=5 -DRECORDS_CHUNK=64

$(BUILD)/interposed/%.o: %.c tests/faults/interpose.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(UNOPTIMISED) $(TEST_CPPFLAGS) -Wno-shadow -Dmain=program_main $(FAULT_SIZES) -include faults/interpose.h

# So that tests know whether threads took part (tests/support.c)
COUNT_THREADS = -Wl,--wrap=pthread_create

$(FAULT_TEST): $(FAULT_TEST).o $(FAULT_SUPPORT) $(TEST_SUPPORT) $(FAULT_OBJECTS)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(COUNT_THREADS) -o $@ $^ -lcmocka

-include $(FAULT_OBJECTS:.o=.d) $(FAULT_SUPPORT:.o=.d) $(FAULT_TEST).d

.PRECIOUS: $(BUILD)/tests/%.o
-include $(TEST_PROGRAMS:=.d) $(TEST_SUPPORT:.o=.d) $(BUILD)/tests/generator.d $(BUILD)/tests/recording.d
-include $(SMALL:.o=.d)

SEED ?= 1
COUNT ?= 100000

.PHONY: soak
soak: test-tools $(BUILD)/tests/unit/test_generated #- convert COUNT (100000) random profiles from number SEED (1) on
	@$(BUILD)/tests/unit/test_generated "$(SEED)" "$(COUNT)"

LARGEST ?= 4000

.PHONY: every-prefix
every-prefix: test-tools $(BUILD)/tests/unit/test_every_prefix #- truncate and damage all real profiles of up to LARGEST (4000) bytes
	@$(BUILD)/tests/unit/test_every_prefix "$(LARGEST)"

.PHONY: every-fault
every-fault: test-tools $(FAULT_TEST) #- make each allocation and system call fail, however many there are
	@$(FAULT_TEST) every

SANITIZED = CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" HARDENING= HARDENING_LDFLAGS= \
	LDFLAGS="-fsanitize=address,undefined"

.PHONY: verify
verify: test-tools ## run the tests under sanitizers, static analysis, and checks of the documents and of what is built
	@tests/check/words.sh
	@tests/check/layers.sh
	@tests/check/headers.sh
	@$(MAKE) --no-print-directory BUILD=build-verify WERROR=-Werror verify-built
	@tests/check/supply.sh
	@tests/check/static.sh
	@$(MAKE) --no-print-directory check-format
	@if command -v dh >/dev/null && command -v lintian >/dev/null; then \
		$(MAKE) --no-print-directory deb && WITHOUT_BARE=yes tests/check/deb.sh $(BUILD)/deb; \
	else echo "debhelper or lintian is missing: the packages are not checked"; fi
	@$(MAKE) --no-print-directory BUILD=build-sanitize WERROR=-Werror run-tests \
		$(SANITIZED) COMBINATIONS_SECONDS=120

.PHONY: verify-built
verify-built: $(PROGRAM) $(BENCH_TOOL) $(HOSTILE_TOOL)
	@tests/check/libc-only.sh $(PROGRAM) $(LIBRARY) $(CLI_OBJECTS)
	@tests/check/hardened.sh $(PROGRAM)
	@tests/check/page.sh $(PROGRAM)

.PHONY: check-deb
check-deb: deb #- check the Debian packages with lintian and, as root, in a bare Debian; see docs/testing.md
	@tests/check/deb.sh $(BUILD)/deb

$(COMBINATIONS): $(COMBINATIONS_OBJECTS) $(BUILD)/tests/recording.o $(TEST_SUPPORT) $(LIBRARY)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(COUNT_THREADS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka -lm

-include $(COMBINATIONS_OBJECTS:.o=.d)

SECONDS ?= 120

.PHONY: combinations
combinations: test-tools #- compare what commands of any combination print, for SECONDS (120) from SEED (1) on, under sanitizers
	@$(MAKE) --no-print-directory BUILD=build-combinations walk $(SANITIZED)

.PHONY: walk
walk: $(PROGRAM) $(COMBINATIONS)
	@$(COMBINATIONS) ./$(PROGRAM) $(BUILD)/tests/combinations/files "$(SECONDS)" "$(SEED)"

PLATFORMS ?=

# The programs left out test where cg2wg looks, or run it too often.
.PHONY: check-bare
check-bare: $(PROGRAM) $(call chosen,$(ALL_TESTS)) #- find tests that depend on libraries, debug data or the kernel of this machine; needs strace
	@JOBS="$(JOBS)" tests/check/bare.sh ./$(PROGRAM) \
		$(filter-out $(FAULT_TEST) $(COMBINATIONS) %/test_perf_names %/test_perf_files,$(call chosen,$(ALL_TESTS)))

.PHONY: check-browser
check-browser: $(PROGRAM) #- compare what webgrind shows with the names, in Chromium; WEBGRIND is its folder
	@tests/check/browser.sh ./$(PROGRAM)

.PHONY: check-page
check-page: $(PROGRAM) #- check the page of --print=html: html-validate, eslint, and what it does in Chromium and Firefox
	@tests/check/page.sh ./$(PROGRAM)

.PHONY: check-platforms
check-platforms: #- run the tests on all PLATFORMS: compilers, libcs, processors, sanitizers; see docs/testing.md
	@tests/check/platforms.sh $(PLATFORMS)

.PHONY: coverage
coverage: test-tools #- show the lines and branches of src/ that the tests run; needs gcovr
	@[ ! -d build-coverage ] || find build-coverage -name '*.gcda' -exec rm {} +
	@$(MAKE) --no-print-directory BUILD=build-coverage CFLAGS='-O0 -g --coverage "-DHOT=static inline"' HARDENING= \
		HARDENING_LDFLAGS= LDFLAGS='--coverage -Wl,-u,__gcov_dump' run-tests
	@tests/coverage.sh build-coverage

CHANGES ?= 300

# A few of the faults come first. What is installed does not depend on the source.
.PHONY: mutants
mutants: #- change src/ in CHANGES (300) places, by SEED (1), and list the changes that no test notices
	@JOBS="$(JOBS)" FILES="$(FILES)" tests/mutants/mutants.sh "$(CHANGES)" "$(SEED)" \
		$(patsubst $(BUILD)/%,build/%,$(filter-out %/install.sh $(COMBINATIONS),$(ALL_TESTS)) $(FAULT_TEST):few)

.PHONY: storm
storm: $(PROGRAM) #- send signals at random times to thousands of conversions: ROUNDS=5000 SEED=1
	@ROUNDS=$(or $(ROUNDS),5000) SEED=$(or $(SEED),1) tests/cli/signals.sh ./$(PROGRAM) '*random*'

$(BENCH_TOOL): $(BUILD)/tests/bench/generate.o
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

# The program without sums of records: its reader alone.
READER_ALONE := $(BUILD)/tests/bench/reader-alone

$(BUILD)/tests/bench/sums.o: src/read/callgrind/sums.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -DSUMS_ARE_MADE=0

$(READER_ALONE): $(BUILD)/tests/bench/sums.o $(CLI_OBJECTS) $(LIBRARY)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

-include $(BUILD)/tests/bench/sums.d $(BENCH_TOOL).d $(HOSTILE_TOOL).d

.PHONY: bench
bench: $(PROGRAM) $(BENCH_TOOL) $(READER_ALONE) #- time conversions against their peers; see docs/performance.md
	@CC="$(CC)" CFLAGS="$(CFLAGS)" tests/bench/bench.sh ./$(PROGRAM) $(BENCH_TOOL) $(READER_ALONE)

$(HOSTILE_TOOL): $(BUILD)/tests/bench/hostile.o $(LIBRARY)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

.PHONY: bench-hostile
bench-hostile: $(HOSTILE_TOOL) #- measure how time grows with inputs that are made to take long
	@$(HOSTILE_TOOL) $(BUILD)/hostile-input

.PHONY: bench-fleet
bench-fleet: $(PROGRAM) #- merge COUNT (100000) generated profiles of 100 KB in a tree; see docs/merging.md
	@tests/bench/fleet.sh ./$(PROGRAM) $(COUNT)

.PHONY: bench-growth
bench-growth: $(PROGRAM) $(BENCH_TOOL) #- measure how time and memory grow with the input; draws docs/growth-*.svg
	@CC="$(CC)" CFLAGS="$(CFLAGS)" tests/bench/growth.sh ./$(PROGRAM) $(BENCH_TOOL)

$(FUZZ_REPLAYS): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/tests/fuzz/replay.o $(FUZZ_SUPPORT)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

$(FUZZERS): $(BUILD)/%-libfuzzer: $(BUILD)/%.o $(FUZZ_SUPPORT)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^

-include $(FUZZ_REPLAYS:=.d) $(BUILD)/tests/fuzz/fuzz.d $(BUILD)/tests/preprocessed_file.d \
	$(BUILD)/tests/fuzz/replay.d

FUZZ_MAKE = $(MAKE) --no-print-directory BUILD=build-fuzz CC=clang \
	CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" \
	LDFLAGS="-fsanitize=address,undefined"

.PHONY: fuzzers
fuzzers: $(FUZZERS)

.PHONY: fuzz
fuzz: test-tools $(PROGRAM) #- fuzz FUZZ_TARGET (all) for FUZZ_TIME seconds (60) each; needs clang
	@$(FUZZ_MAKE) fuzzers
	@tests/fuzz/fuzz.sh run ./$(PROGRAM) build-fuzz "$(FUZZ_TIME)" $(FUZZ_TARGET)

.PHONY: fuzz-minimise
fuzz-minimise: test-tools $(PROGRAM) #- add what `make fuzz` has found to tests/fuzz/corpus, if it covers more
	@$(FUZZ_MAKE) fuzzers
	@tests/fuzz/fuzz.sh minimise ./$(PROGRAM) build-fuzz 0 $(FUZZ_TARGET)
