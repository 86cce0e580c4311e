# Tests. Every file in tests/unit is a program of its own; tests/cli is a shell suite.

TEST_SOURCES := $(wildcard tests/unit/test_*.c)
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(BUILD)/%)
TEST_SUPPORT := $(BUILD)/tests/support.o
TEST_CPPFLAGS = -Itests

.PHONY: test
test: test-tools ## run all tests; installs what they need if it is missing
	@$(MAKE) --no-print-directory run-tests

.PHONY: test-tools
test-tools:
	@tests/install-tools.sh

.PHONY: run-tests
run-tests: $(PROGRAM) $(TEST_PROGRAMS)
	@tests/run.sh ./$(PROGRAM) $(TEST_PROGRAMS)

$(BUILD)/tests/%.o: CPPFLAGS += $(TEST_CPPFLAGS)

$(TEST_PROGRAMS): $(BUILD)/%: $(BUILD)/%.o $(TEST_SUPPORT) $(LIBRARY)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lm

# What is tested of the program itself is not in the library.
$(BUILD)/tests/unit/test_bar: $(BUILD)/src/cli/bar.o

$(BUILD)/tests/unit/test_generated: $(BUILD)/tests/generator.o

.PRECIOUS: $(BUILD)/tests/%.o
-include $(TEST_PROGRAMS:=.d) $(TEST_SUPPORT:.o=.d) $(BUILD)/tests/generator.d

SEED ?= 1
COUNT ?= 100000

.PHONY: soak
soak: test-tools $(BUILD)/tests/unit/test_generated ## convert COUNT (100000) random profiles from number SEED (1) on
	@$(BUILD)/tests/unit/test_generated "$(SEED)" "$(COUNT)"

LARGEST ?= 4000

.PHONY: every-prefix
every-prefix: test-tools $(BUILD)/tests/unit/test_every_prefix ## cut and damage all real profiles of up to LARGEST (4000) bytes
	@$(BUILD)/tests/unit/test_every_prefix "$(LARGEST)"

.PHONY: check
check: test-tools ## tests under sanitizers, static analysis, checks of headers and layers
	@tests/check/layers.sh
	@tests/check/headers.sh
	@$(MAKE) --no-print-directory all
	@tests/check/libc-only.sh $(PROGRAM) $(LIBRARY)
	@tests/check/static.sh
	@$(MAKE) --no-print-directory BUILD=build-sanitize run-tests \
		CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" \
		LDFLAGS="-fsanitize=address,undefined"

BENCH_TOOL = $(BUILD)/tests/bench/generate

$(BENCH_TOOL): $(BUILD)/tests/bench/generate.o
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

.PHONY: bench
bench: $(PROGRAM) $(BENCH_TOOL) ## time conversions against their peers; see docs/performance.md
	@CC="$(CC)" CFLAGS="$(CFLAGS)" tests/bench/bench.sh ./$(PROGRAM) $(BENCH_TOOL)

.PHONY: bench-growth
bench-growth: $(PROGRAM) $(BENCH_TOOL) ## how time and memory grow with the input; draws docs/growth-*.svg
	@CC="$(CC)" CFLAGS="$(CFLAGS)" tests/bench/growth.sh ./$(PROGRAM) $(BENCH_TOOL)
