/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs that are built and timed for real.  time limit: 180 s */
#include <dirent.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/timing.h"

static struct workshop	t;

#define BODY		"double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s;"
#define PARTS(before, body)	before "double dot(int n, const double *x, const double *y) { " body " }"
#define SOURCE(text)	"{'language': 'c', 'source': '" text "'}"
#define SPEC(n, more)                                                                                                  \
	"{'routine': 'double dot(int n, const double *x, const double *y)', 'params': {'N': " #n "}," \
	"'args': {'n': 'N', 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}, 'context': 'warm' " more "}"
#define CHECK		", 'check': {'reference': " SOURCE(PARTS("", BODY)) ", 'rtol': 1e-12}"
#define JOB(source, spec)	"{'variant': " SOURCE(source) ", 'spec': " spec ", 'timeout_ms': {'run': 20000}}"
#define QUICK(source, spec)	"{'variant': " SOURCE(source) ", 'spec': " spec ", 'timeout_ms': {'run': 300}}"

static enum status
run_body(const char *before, const char *body)
{
	char	text[4096];

	snprintf(text, sizeof text, JOB("%s" "double dot(int n, const double *x, const double *y) { %s }",
	    SPEC(1000, CHECK)),
	    before, body);
	return timing_run(&t, text);
}

static bool
detail_has(const char *words)
{
	if (t.detail != NULL && strstr(t.detail, words) != NULL)
		return true;
	print_message("detail: %s\n", t.detail != NULL ? t.detail : "(none)");
	return false;
}

/* As many as asked for; fewer only where what was disturbed cost more than the budget, and then it says so. */
static void
assert_samples(size_t asked)
{
	size_t	n = json_array_size(json_object_get(t.report, "samples"));

	if (strcmp(timing_word(&t, "technique", "ended_by"), "budget") == 0)
		assert_in_range(n, 3, asked);
	else
		assert_int_equal(n, asked);
}

/* ---- what goes right ---- */

static void
test_supervise_P1_a_right_variant_is_checked_and_timed(void **state)
{
	(void)state;
	assert_int_equal(run_body("", BODY), ST_OK);
	assert_null(t.detail);
	assert_samples(7);
	assert_true(timing_min_ns(&t) > 1 && timing_min_ns(&t) < 1e7);
	assert_true(json_is_true(timing_member(&t, "check", "passed")));
	assert_int_equal(timing_number(&t, "check", "compared"), 1);
	assert_string_equal(timing_word(&t, "technique", "context"), "warm");
	assert_string_equal(timing_word(&t, "technique", "method"), "none");
	assert_true(timing_number(&t, "technique", "calls") >= 1);
	assert_true(timing_number(&t, "technique", "tick_hz") > 1e6);
	assert_true(json_is_true(timing_member(&t, "technique", "overhead_subtracted")));
	assert_true(timing_number(&t, "technique", "empty_call_ns") > 0);
	assert_true(timing_number(&t, "technique", "edge_ns") >=
	    timing_number(&t, "technique", "resolution_ns") * 0.99);
	assert_true(timing_number(&t, "technique", "bias_bound") > 0);
	assert_true(json_number_value(json_object_get(t.report, "run_ms")) > 0);
}

static void
test_supervise_P44_W50_it_ran_on_the_timing_cpu_alone_and_met_no_page_fault(void **state)
{
	const json_t	*guards;

	(void)state;
	assert_int_equal(run_body("", BODY), ST_OK);
	assert_int_equal(timing_number(&t, "technique", "cpu"), timing_last_cpu());
	assert_int_equal(timing_number(&t, "evidence", "own_faults"), 0);
	assert_non_null(strstr("fifo other", timing_word(&t, "technique", "scheduling")));
	guards = timing_member(&t, "technique", "guards");
	assert_string_equal(json_string_value(json_array_get(guards, 0)), "Page0Guard");
	assert_string_equal(json_string_value(json_array_get(guards, 1)), "InstLdGuard");
}

static void
test_supervise_P2_the_next_variant_finds_the_runner_and_its_driver_ready(void **state)
{
	struct hash	driver;

	(void)state;
	assert_int_equal(run_body("", BODY), ST_OK);
	driver = t.artifacts.driver;
	assert_int_equal(run_body("", "double s = 0; for (int i = n - 1; i >= 0; i--) s += x[i] * y[i]; return "
	    "s;"), ST_OK);
	assert_string_equal(driver.hex, t.artifacts.driver.hex);
	assert_true(timing_number(&t, "evidence", "setup_ms") == 0);
	assert_int_equal(timing_run(&t, JOB(PARTS("", BODY), SPEC(1001, ""))), ST_OK);
	assert_string_not_equal(driver.hex, t.artifacts.driver.hex);
	assert_true(timing_number(&t, "evidence", "setup_ms") > 0);
}

static void
test_supervise_W8_W24_W27_W33_every_method_takes_its_samples(void **state)
{
	static const struct {
		const char	*flush, *method;
		double		 least_sets;
	} rows[] = {
		{ "{'method': 'OneCallFlushX86'}", "OneCallFlushX86", 1 },
		{ "{'method': 'OneCallFlushLRU', 'bytes': 4000000}", "OneCallFlushLRU", 1 },
		{ "{'method': 'MultiCallFlushLRU', 'bytes': 4000000}", "MultiCallFlushLRU", 250 },
		{ "{'method': 'MultiCallFlushLRU', 'bytes': 4000000, 'walk': 'forward'}", "MultiCallFlushLRU", 250 },
		{ "{'method': 'MultiCallFlushLRU', 'bytes': 4000000, 'walk': 'random'}", "MultiCallFlushLRU", 250 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char	text[2048];

		snprintf(text, sizeof text, JOB(PARTS("", BODY),
		    "{'routine': 'double dot(int n, const double *x, const double *y)',"
		    "'params': {'N': 1000}, 'args': {'n': 'N', 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}, 'timing':"
		    "{'samples': 5, 'gate': false, 'flush': %s}" CHECK "}"), rows[i].flush);
		assert_int_equal(timing_run(&t, text), ST_OK);
		assert_string_equal(timing_word(&t, "technique", "method"), rows[i].method);
		assert_string_equal(timing_word(&t, "technique", "context"), "cold");
		assert_true(timing_number(&t, "technique", "working_sets") >= rows[i].least_sets);
		assert_samples(5);
		assert_true(timing_min_ns(&t) > 0);
	}
}

#define DOT_COLD(flush)	"{'routine': 'double dot(int n, const double *x, const double *y)'," \
	"'params': {'N': 1000}, 'args': {'n': 'N', 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}, 'timing':" \
	"{'samples': 5, 'flush': " flush "}}"

static void
test_supervise_W58_W59_a_routine_with_threads_is_flushed_on_every_cpu_it_may_use(void **state)
{
	cpu_set_t	may;

	(void)state;
	timing_close(&t);
	assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
	timing_open_on(&t, -1);
	assert_int_equal(timing_run(&t, "{'variant': " SOURCE(PARTS("", BODY)) ", 'threads': 2, 'spec': "
	    DOT_COLD("{'method': 'OneCallFlushLRU', 'bytes': 4000000}") "}"), ST_OK);
	assert_int_equal(timing_number(&t, "technique", "flush_cpus"), CPU_COUNT(&may));
	timing_close(&t);
	timing_open(&t);
	assert_int_equal(timing_run(&t, "{'variant': " SOURCE(PARTS("", BODY)) ", 'threads': 2, 'spec': "
	    DOT_COLD("{'method': 'OneCallFlushLRU', 'bytes': 4000000}") "}"), ST_OK);
	assert_int_equal(timing_number(&t, "technique", "flush_cpus"), 1);
}

static void
test_supervise_W1_W33_a_cold_time_comes_with_its_proof(void **state)
{
	const json_t	*sentinel;

	(void)state;
	assert_int_equal(timing_run(&t, JOB(PARTS("", BODY), DOT_COLD("{'method': 'OneCallFlushX86'}"))), ST_OK);
	sentinel = timing_member(&t, "evidence", "sentinel");
	assert_true(json_is_object(sentinel) || json_is_string(sentinel));
	if (json_is_object(sentinel))
		assert_int_equal(json_integer_value(json_object_get(sentinel, "read")),
		    json_array_size(json_object_get(t.report, "samples")));
	assert_int_equal(timing_number(&t, "technique", "working_sets_touched"), 1);
	assert_string_equal(timing_word(&t, "technique", "tlb"), "cold");
	assert_string_equal(timing_word(&t, "technique", "page_tables"), "cached");

	assert_int_equal(timing_run(&t, JOB(PARTS("", BODY),
	    DOT_COLD("{'method': 'MultiCallFlushLRU', 'bytes': 4000000}"))), ST_OK);
	assert_true(timing_number(&t, "technique", "working_sets_touched") >= 5);
	assert_true(json_is_null(timing_member(&t, "technique", "page_tables")));
}

/* A kernel without NUMA lists nothing; one with it and a machine of one node leave no choice. */
static void
test_supervise_W62_the_node_that_owns_the_operands_is_recorded(void **state)
{
	static const char *const	flushes[] = { "{'method': 'OneCallFlushX86'}",
					    "{'method': 'MultiCallFlushLRU', 'bytes': 4000000}" };
	const bool			listed = access("/proc/self/numa_maps", R_OK) == 0;
	const bool			several = access("/sys/devices/system/node/node1", F_OK) == 0;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char		 text[2048];
		const json_t	*node;

		snprintf(text, sizeof text, JOB(PARTS("", BODY), DOT_COLD("%s")), flushes[i]);
		assert_int_equal(timing_run(&t, text), ST_OK);
		node = timing_member(&t, "technique", "numa_node");
		if (!listed)
			assert_string_equal(json_string_value(node), "unknown");
		else if (!several)
			assert_true(json_is_integer(node) && json_integer_value(node) == 0);
		else
			assert_true(json_is_integer(node) || strcmp(json_string_value(node), "mixed") == 0);
	}
}

/* A chase through 64 KiB in random order: what is not in the cache costs a trip to memory for every step. */
#define CHASE                                                                                                          \
	"int chase(int n, const unsigned *p) {" \
	" unsigned at = 0; for (int i = 0; i < n; i++) at = p[at]; return at; }"
#define CHASE_SPEC(cache)                                                                                              \
	"{'routine': 'int chase(int n, const unsigned *p)', 'args': {'n': 4000," \
	"'p': {'dims': [16384], 'init': {'permutation': {}}, 'cache': '" cache "'}},"  \
	"'timing': {'flush': {'method': 'OneCallFlushX86'}}}"
#define CHASE_WARM                                                                                                     \
	"{'routine': 'int chase(int n, const unsigned *p)', 'args': {'n': 4000," \
	"'p': {'dims': [16384], 'init': {'permutation': {}}}}, 'context': 'warm'}"

static void
test_supervise_P12_W1_a_cold_operand_takes_longer_than_a_warm_one(void **state)
{
	double	cold, warm;

	(void)state;
	assert_int_equal(timing_run(&t, JOB(CHASE, CHASE_SPEC("cold"))), ST_OK);
	cold = timing_min_ns(&t);
	if (timing_member(&t, "evidence", "cold_over_warm") != NULL)	/* there was time for that */
		assert_true(timing_number(&t, "evidence", "cold_over_warm") > 1.5);
	assert_int_equal(timing_run(&t, JOB(CHASE, CHASE_WARM)), ST_OK);
	warm = timing_min_ns(&t);
	print_message("4000 steps: cold %.0f ns, warm %.0f ns\n", cold, warm);
	assert_true(cold > 1.5 * warm);
}

#define GET_SPEC(more)	"{'routine': 'double get(const double *x)', 'args': {'x': {'dims': [8]}} " more "}"
#define LONG_GET	"double get(const double *x) { for (volatile int i = 0; i < 100000; i++); return x[0]; }"
#define SHORT_GET	"double get(const double *x) { return x[0]; }"
#define GET_CHECK	", 'check': {'reference': " SOURCE(LONG_GET) "}"

static void
test_supervise_P38_auto_flushes_a_short_call_by_moving_through_sets(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t, JOB(SHORT_GET, GET_SPEC(""))), ST_OK);
	assert_string_equal(timing_word(&t, "technique", "method"), "MultiCallFlushLRU");
	assert_string_equal(timing_word(&t, "technique", "walk"), "random");
	assert_true(timing_number(&t, "technique", "calls") > 1);
}

static void
test_supervise_auto_is_settled_by_the_reference_for_all_variants(void **state)
{
	(void)state;
	if (timing_run(&t, JOB(SHORT_GET, GET_SPEC(GET_CHECK))) != ST_OK) fail_msg("%s", t.detail);
	assert_string_equal(timing_word(&t, "technique", "method"), "OneCallFlushX86");
	assert_int_equal(timing_run(&t, JOB(LONG_GET, GET_SPEC(GET_CHECK))), ST_OK);
	assert_string_equal(timing_word(&t, "technique", "method"), "OneCallFlushX86");
}

#define AXPY                                                                                                           \
	"void axpy(int n, double a, const double *x, double *y) {" \
	" for (int i = 0; i < n; i++) y[i] += a * x[i]; }"
#define AXPY_SPEC(n, more)                                                                                             \
	"{'routine': 'void axpy(int n, double a, const double *x, double *y)', 'args': {'n': " #n ", 'a': 2.5," \
	"'x': {'dims': [" #n "]}, 'y': {'dims': [" #n "]}}, 'check': {'reference': " SOURCE(AXPY) "} " more "}"

static void
test_supervise_an_inout_operand_is_restored_and_its_answer_checked(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t, JOB(AXPY, AXPY_SPEC(50000, ", 'context': 'warm'"))), ST_OK);
	assert_string_equal(timing_word(&t, "technique", "inout"), "restored per call");
	assert_int_equal(timing_number(&t, "check", "compared"), 50000);
	assert_int_equal(timing_run(&t, JOB(AXPY, AXPY_SPEC(10, ", 'context': 'warm'"))), ST_OK);
	assert_string_equal(timing_word(&t, "technique", "inout"), "restored per sample");
	assert_int_equal(timing_run(&t, JOB(AXPY, AXPY_SPEC(1000,
	    ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"))), ST_OK);
	assert_string_equal(timing_word(&t, "technique", "inout"), "restored per call");
}

static void
test_supervise_P22_P25_P27_a_sleeping_routine_takes_wall_time_and_no_cpu_time(void **state)
{
	static const char	job[] = JOB(
				    "#include <time.h>\\n"
				    "void nap(void) { struct timespec t = {0, 3000000}; nanosleep(&t, 0); }",
				    "{'routine': 'void nap(void)', 'args': {}, 'context': 'warm',"
				    "'timing': {'clock': '%s', 'samples': 3}}");
	char			text[1024];
	double			wall, cpu;

	(void)state;
	snprintf(text, sizeof text, job, "wall");
	assert_int_equal(timing_run(&t, text), ST_OK);
	assert_string_equal(timing_word(&t, "technique", "clock"), "wall");
	wall = timing_min_ns(&t);
	snprintf(text, sizeof text, job, "cpu");
	assert_int_equal(timing_run(&t, text), ST_OK);
	cpu = timing_min_ns(&t);
	assert_true(wall >= 3e6);
	assert_true(cpu < wall / 2);
}

/* ---- layouts ---- */

#define LAYOUTS(more)	"{'routine': 'double dot(int n, const double *x, const double *y)'," \
			"'args': {'n': 1000, 'x': {'dims': [1000]}, 'y': {'dims': [1000]}}, 'context': 'warm'," \
			"'timing': {" more "}" CHECK "}"

static void
test_supervise_a_sweep_of_layouts_comes_beside_the_time_of_the_default_one(void **state)
{
	const json_t	*points;
	int64_t		 code;

	(void)state;
	assert_int_equal(timing_run(&t, JOB(PARTS("", BODY), LAYOUTS("'layout': 'sweep', 'layouts': 4"))), ST_OK);
	assert_samples(7);
	points = timing_member(&t, "layout", "points");
	assert_int_equal(json_array_size(points), 4);
	code = json_integer_value(json_object_get(json_array_get(points, 0), "code_offset"));
	assert_int_equal(code, 0);
	code = json_integer_value(json_object_get(json_array_get(points, 1), "code_offset"));
	assert_int_equal(code, 32);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(json_array_size(json_object_get(json_array_get(points, i), "rounds")), 2);
	assert_int_equal(run_body("", BODY), ST_OK);
	assert_string_equal(timing_word(&t, "layout", "mode"), "fixed");
}

static void
test_supervise_random_layouts_give_one_sample_each(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t, JOB(PARTS("", BODY), LAYOUTS("'layout': 'random', 'layouts': 6"))), ST_OK);
	assert_int_equal(json_array_size(json_object_get(t.report, "samples")), 6);
	assert_true(timing_number(&t, "evidence", "taken") >= 6 * 3);	/* more beside a neighbour */
	assert_true(timing_number(&t, "technique", "calls") >= 1);
	assert_true(json_is_true(timing_member(&t, "check", "passed")));
}

static void
test_supervise_an_answer_that_depends_on_the_layout_is_found(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t, JOB(PARTS("", "if ((unsigned long)x % 4096 != (4096 - 8 * 1000 % 4096) / 64 * 64) "
	    "return 1e9; " BODY), LAYOUTS("'layout': 'sweep', 'layouts': 4"))), ST_WRONG_ANSWER);
	assert_true(detail_has("in layout 3 of 4"));
}

/* ---- what goes wrong is the variant's, in one word and with the reason ---- */

static void
test_supervise_P47_a_crash_is_told_with_its_signal_and_where(void **state)
{
	(void)state;
	assert_int_equal(run_body("", "*(volatile int *)0 = 1; return n + x[0] + y[0];"), ST_CRASHED);
	assert_true(detail_has("SIGSEGV in check"));
	assert_int_equal(run_body("static int c; ", "if (++c > 20) __builtin_trap(); " BODY), ST_CRASHED);
	assert_true(detail_has("SIGILL in "));
	assert_true(detail_has(timing_word(&t, "evidence", "failed_in")));
	assert_string_not_equal(timing_word(&t, "evidence", "failed_in"), "check");
	assert_int_equal(run_body("__attribute__((constructor)) static void c(void) { __builtin_trap(); } ",
	    BODY), ST_CRASHED);
	assert_true(detail_has("in load"));
	assert_int_equal(json_array_size(json_object_get(t.report, "samples")), 0);
}

static void
test_supervise_P10_reading_one_element_too_many_is_a_crash(void **state)
{
	(void)state;
	assert_int_equal(run_body("", "double s = 0; for (int i = 0; i <= n; i++) s += x[i] * y[i]; return s;"),
	    ST_CRASHED);
	assert_true(detail_has("SIGSEGV"));
}

static void
test_supervise_leaving_early_is_a_crash(void **state)
{
	(void)state;
	/* not exit: what a sanitizer does then is refused */
	assert_int_equal(run_body("void _exit(int); ", "_exit(3); return n + x[0] + y[0];"), ST_CRASHED);
	assert_true(detail_has("exited with code 3"));
}

static void
test_supervise_what_never_returns_is_stopped_at_the_wall_limit(void **state)
{
	struct timespec	from, to;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &from);
	assert_int_equal(timing_run(&t, QUICK(PARTS("", "for (;;) __asm__ volatile (\\\"\\\"); return n + x[0] "
	    "+ y[0];"),
	    SPEC(1000, ""))), ST_RUN_TIMEOUT);
	clock_gettime(CLOCK_MONOTONIC, &to);
	assert_true(to.tv_sec - from.tv_sec < 10);
	assert_true(detail_has("wall limit"));
	assert_int_equal(run_body("", BODY), ST_OK);
}

static void
test_supervise_a_wrong_answer_is_told_with_its_place(void **state)
{
	(void)state;
	assert_int_equal(run_body("", "double s = 1; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s;"),
	    ST_WRONG_ANSWER);
	assert_true(detail_has("return[0] is "));
	assert_string_equal(json_string_value(json_object_get(timing_member(&t, "check", "first_bad"),
	    "operand")), "return");
	assert_true(timing_number(&t, "check", "max_abs") > 0.99 && timing_number(&t, "check", "max_abs") < 1.01);
	assert_int_equal(timing_run(&t, JOB("void axpy(int n, double a, const double *x, double *y) {"
	    "for (int i = 0; i < n; i++) if (i != 77) y[i] += a * x[i]; }", AXPY_SPEC(1000, ""))), ST_WRONG_ANSWER);
	assert_true(detail_has("y[77] is "));
	assert_int_equal(run_body("", "return 0.0 / (n - 1000) + x[0] + y[0];"), ST_NOT_FINITE);
}

/* Right in the check, wrong once it has been timed. */
static void
test_supervise_the_answer_is_checked_again_after_the_timing(void **state)
{
	(void)state;
	assert_int_equal(run_body("static int c; ", "if (c++ > 2) return 0; " BODY), ST_WRONG_ANSWER);
	assert_true(json_array_size(json_object_get(t.report, "samples")) > 0);
}

static void
test_supervise_a_missing_routine_is_told_with_those_that_are_there(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t, JOB("void zip(void) {} int dott(void) { return 0; }", SPEC(10, ""))),
	    ST_LOAD_FAILED);
	assert_true(detail_has("there is no function \"dot\"; the object has dott, zip"));
}

static void
test_supervise_an_object_that_cannot_be_loaded_says_why_without_a_path(void **state)
{
	(void)state;
	assert_int_equal(run_body("void nowhere_to_be_found(void); ", "nowhere_to_be_found(); return n + x[0] + y[0];"),
	    ST_LOAD_FAILED);
	assert_true(detail_has("undefined symbol: nowhere_to_be_found"));
	assert_null(strstr(t.detail, "/"));
}

static void
test_supervise_more_memory_than_there_may_be_is_a_limit(void **state)
{
	(void)state;
#if defined(__SANITIZE_ADDRESS__)
	skip();			/* the sanitizer needs more addresses than any limit leaves */
#endif
	assert_int_equal(run_body("static volatile char z[1ull << 40]; ", "z[n] = 1; return x[0] + y[0];"),
	    ST_RUN_LIMIT);
	assert_true(detail_has("memory"));
}

static void
test_supervise_a_failing_reference_is_the_specs_fault(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t, JOB(PARTS("", BODY), SPEC(10, ", 'check': {'reference': "
	    SOURCE(PARTS("", "__builtin_trap(); return n + x[0] + y[0];")) "}"))), ST_BAD_SPEC);
	assert_true(detail_has("spec.check.reference: the reference itself failed"));
	assert_true(detail_has("SIGILL"));
}

/* That the runner outlives those who try, or is replaced, tests/unit/test_bench.c shows without filters. */
static void
test_supervise_a_variant_that_starts_a_process_or_kills_one_is_forbidden(void **state)
{
	(void)state;
	assert_int_equal(run_body("#include <unistd.h>\\n static int f; ",
	    "if (!f++ && fork() == 0) { setsid(); for (;;) pause(); } " BODY), ST_FORBIDDEN);
	assert_true(detail_has("clone"));
	assert_int_equal(run_body("#include <signal.h>\\n#include <unistd.h>\\n",
	    "kill(getppid(), SIGKILL); for (;;) pause(); return n + x[0] + y[0];"), ST_FORBIDDEN);
	assert_int_equal(run_body("", BODY), ST_OK);
	assert_true(timing_number(&t, "evidence", "setup_ms") == 0);	/* the runner has not even noticed */
}

static void
test_supervise_page_faults_of_the_routine_itself_are_not_noise(void **state)
{
	(void)state;
	assert_int_equal(run_body("#include <sys/mman.h>\\n",
	    "char *p = mmap(0, 65536, 3, 34, -1, 0); for (int i = 0; i < 16; i++) p[4096 * i] = 1;"
	    "munmap(p, 65536); " BODY),
	    ST_OK);
	assert_true(timing_number(&t, "evidence", "own_faults") >= 16);
}

static void
test_supervise_an_object_that_left_the_cache_is_our_fault_and_said_so(void **state)
{
	struct job		 job;
	struct artifacts	 gone = { .driver = { "00" }, .variant = { "00" } };

	(void)state;
	timing_forget(&t);
	support_job(&job, JOB(PARTS("", BODY), SPEC(10, "")));
	assert_int_equal(supervisor_time(t.supervisor, &job, &gone, &t.detail, &t.report), ST_INTERNAL);
	assert_true(json_is_true(json_object_get(t.report, "artifact_missing")));
	job_release(&job);
}

static void
test_supervise_a_cancellation_is_noticed_while_a_variant_runs(void **state)
{
	(void)state;
	t.stop_after = 3;
	t.looks = 0;
	assert_int_equal(timing_run(&t, JOB(PARTS("", "for (;;) __asm__ volatile (\\\"\\\"); return n + x[0] + y[0];"),
	    SPEC(1000, ""))), ST_CANCELLED);
	t.stop_after = 0;
	assert_int_equal(run_body("", BODY), ST_OK);
}

static void
test_supervise_operands_larger_than_the_machine_are_a_limit(void **state)
{
	struct fault	why;
	struct job	job;
	json_t		*doc = quoted_json(JOB("void f(const char *a) {(void)a;}",
	    "{'routine': 'void f(const char *a)', 'args': {"
			    "'a': {'dims': [1000000]}}, 'context': 'warm'}"));

	(void)state;
	timing_forget(&t);
	assert_int_equal(job_decode(&job, doc, &why), ST_OK);
	job.spec.args[0].operand.elements = (size_t)1 << 50;
	assert_int_equal(timing_run(&t, JOB("void f(const char *a) {(void)a;}",
	    "{'routine': 'void f(const char *a)', 'args': {"
	    "'a': {'dims': [1000000]}}, 'context': 'warm'}")), ST_OK);
	timing_forget(&t);
	assert_int_equal(supervisor_time(t.supervisor, &job, &t.artifacts, &t.detail, &t.report), ST_RUN_LIMIT);
	assert_true(detail_has("GiB"));
	job_release(&job);
	json_decref(doc);
}

static void
test_supervise_nothing_is_left_in_the_scratch_directory(void **state)
{
	DIR		*dir;
	struct dirent	*entry;

	(void)state;
	assert_int_equal(run_body("", BODY), ST_OK);
	supervisor_free(t.supervisor);
	t.supervisor = NULL;
	assert_non_null(dir = opendir(t.scratch));
	while ((entry = readdir(dir)) != NULL)
		assert_true(strncmp(entry->d_name, "bay-", 4) != 0);
	closedir(dir);
}

static int
set_up(void **state)
{
	(void)state;
	timing_open(&t);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	timing_close(&t);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_supervise_P1_a_right_variant_is_checked_and_timed),
		cmocka_unit_test(test_supervise_P44_W50_it_ran_on_the_timing_cpu_alone_and_met_no_page_fault),
		cmocka_unit_test(test_supervise_P2_the_next_variant_finds_the_runner_and_its_driver_ready),
		cmocka_unit_test(test_supervise_W8_W24_W27_W33_every_method_takes_its_samples),
		cmocka_unit_test(test_supervise_W58_W59_a_routine_with_threads_is_flushed_on_every_cpu_it_may_use),
		cmocka_unit_test(test_supervise_W1_W33_a_cold_time_comes_with_its_proof),
		cmocka_unit_test(test_supervise_W62_the_node_that_owns_the_operands_is_recorded),
		cmocka_unit_test(test_supervise_P12_W1_a_cold_operand_takes_longer_than_a_warm_one),
		cmocka_unit_test(test_supervise_P38_auto_flushes_a_short_call_by_moving_through_sets),
		cmocka_unit_test(test_supervise_auto_is_settled_by_the_reference_for_all_variants),
		cmocka_unit_test(test_supervise_an_inout_operand_is_restored_and_its_answer_checked),
		cmocka_unit_test(test_supervise_P22_P25_P27_a_sleeping_routine_takes_wall_time_and_no_cpu_time),
		cmocka_unit_test(test_supervise_a_sweep_of_layouts_comes_beside_the_time_of_the_default_one),
		cmocka_unit_test(test_supervise_random_layouts_give_one_sample_each),
		cmocka_unit_test(test_supervise_an_answer_that_depends_on_the_layout_is_found),
		cmocka_unit_test(test_supervise_P47_a_crash_is_told_with_its_signal_and_where),
		cmocka_unit_test(test_supervise_P10_reading_one_element_too_many_is_a_crash),
		cmocka_unit_test(test_supervise_leaving_early_is_a_crash),
		cmocka_unit_test(test_supervise_what_never_returns_is_stopped_at_the_wall_limit),
		cmocka_unit_test(test_supervise_a_wrong_answer_is_told_with_its_place),
		cmocka_unit_test(test_supervise_the_answer_is_checked_again_after_the_timing),
		cmocka_unit_test(test_supervise_a_missing_routine_is_told_with_those_that_are_there),
		cmocka_unit_test(test_supervise_an_object_that_cannot_be_loaded_says_why_without_a_path),
		cmocka_unit_test(test_supervise_more_memory_than_there_may_be_is_a_limit),
		cmocka_unit_test(test_supervise_a_failing_reference_is_the_specs_fault),
		cmocka_unit_test(test_supervise_a_variant_that_starts_a_process_or_kills_one_is_forbidden),
		cmocka_unit_test(test_supervise_page_faults_of_the_routine_itself_are_not_noise),
		cmocka_unit_test(test_supervise_an_object_that_left_the_cache_is_our_fault_and_said_so),
		cmocka_unit_test(test_supervise_a_cancellation_is_noticed_while_a_variant_runs),
		cmocka_unit_test(test_supervise_operands_larger_than_the_machine_are_a_limit),
		cmocka_unit_test(test_supervise_nothing_is_left_in_the_scratch_directory),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
