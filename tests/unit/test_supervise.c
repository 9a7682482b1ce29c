/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs that are built and timed for real: outcomes, words and structure of their reports.  How long
 * anything took is judged in tests/timing/.  No job asks for more trust than a claim: audits
 * compare times (test_audit.c has their logic).
 */
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/clock.h"
#include "tests/support/workshop.h"
#include "worker/cache/own_dir.h"
#include "worker/plan/shares.h"

#define BODY		"double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s;"
#define PARTS(before, body)	before "double dot(int n, const double *x, const double *y) { " body " }"
#define SOURCE(text)	"{'language': 'c', 'source': '" text "'}"
#define SPEC(n, more)                                                                                                  \
	"{'routine': 'double dot(int n, const double *x, const double *y)', 'params': {'N': " #n "}," \
	"'args': {'n': 'N', 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}, 'context': 'warm'," \
	"'timing': {'trust': 'claimed'} " more "}"
#define CHECK		", 'check': {'reference': " SOURCE(PARTS("", BODY)) ", 'rtol': 1e-12}"
#define WITHIN(ms, source, spec) \
	"{'variant': " SOURCE(source) ", 'spec': " spec ", 'timeout_ms': {'run': " #ms "}}"
#define JOB(source, spec)	WITHIN(120000, source, spec)
#define QUICK(source, spec)	WITHIN(300, source, spec)

static enum status
run_body(const char *before, const char *body)
{
	char	text[4096];

	snprintf(text, sizeof text,
	    JOB("%s" "double dot(int n, const double *x, const double *y) { %s }",
	    SPEC(1000, CHECK)), before, body);
	return timing_run(&t, text);
}

/* The dot product, with nothing wrong. */
static void
time_dot(void)
{
	timing_succeed(&t, JOB(PARTS("", BODY), SPEC(1000, CHECK)));
}

static bool
detail_has(const char *words)
{
	if (t.detail != NULL && strstr(t.detail, words) != NULL)
		return true;
	print_message("detail: %s\n", t.detail != NULL ? t.detail : "(none)");
	return false;
}

/*
 * As many as asked for; fewer only where what was disturbed cost more than the budget, and then it
 * says so.
 */
static void
assert_samples(size_t asked)
{
	size_t	n = timing_taken(&t);

	if (strcmp(timing_word(&t, "technique", "ended_by"), "budget") == 0)
		assert_in_range(n, 1, asked);
	else
		assert_int_equal(n, asked);
}

/* Without a wish: in several processes, as many as there was time for. */
static void
assert_shared_out(void)
{
	const bool	in_vain = strcmp(timing_word(&t, "technique", "ended_by"), "budget") == 0;

	assert_in_range(timing_taken(&t), in_vain ? 1 : SHARES_LEAST,
	    SHARES_PROCESSES * SHARES_WARM_EACH);
}

/* A sample's time is its ticks, without what calling takes, by the clock's rate. */
static void
assert_times_are_of_ticks(void)
{
	const double	hz = timing_number(&t, "technique", "tick_hz");
	const double	calls = timing_number(&t, "technique", "calls");
	const json_t	*ticks = timing_samples(&t, "ticks");

	for (size_t i = 0; i < timing_taken(&t); i++) {
		double	reported = json_number_value(json_array_get(timing_samples(&t, "ns"), i));
		double	ns = json_number_value(json_array_get(ticks, i)) * 1e9 / hz -
			    timing_number(&t, "technique", "overhead_ns");

		ns = ns > 0 ? ns / calls : 0;
		assert_true(fabs(reported - ns) <= 1e-6 * (1 + ns));
	}
}

/* ---- what goes right ---- */

static void
test_supervise_a_right_variant_is_checked_and_timed(void **state)
{
	(void)state;
	time_dot();
	assert_shared_out();
	assert_times_are_of_ticks();
	assert_true(json_is_true(timing_member(&t, "check", "passed")));
	assert_int_equal(timing_number(&t, "check", "compared"), 1);
	assert_string_equal(timing_word(&t, "technique", "context"), "warm");
	assert_string_equal(timing_word(&t, "technique", "method"), "none");
	assert_true(timing_number(&t, "technique", "calls") >= 1);
	assert_true(json_is_true(timing_member(&t, "technique", "overhead_subtracted")));
	assert_true(timing_number(&t, "technique", "empty_call_ns") > 0);
	assert_true(timing_number(&t, "technique", "edge_ns") >=
	    timing_number(&t, "technique", "resolution_ns") * 0.99);
	assert_true(timing_number(&t, "technique", "bias_bound") > 0);
}

/* It looks at the clock until 2 ms are over: any disturbance makes that longer. */
#define SPIN \
	"#include <time.h>\\n static long now(void) { struct timespec t;" \
	" clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }" \
	" void spin(void) { long from = now(); while (now() - from < 2000000); }"

static void
test_supervise_no_time_is_less_than_the_routine_took(void **state)
{
	(void)state;
	timing_succeed(&t, JOB(SPIN, "{'routine': 'void spin(void)', 'args': {}, 'context': 'warm',"
	    "'timing': {'calls': 2, 'samples': 3}}"));
	assert_true(timing_min_ns(&t) >= 0.999 * 2e6);
}

static void
test_supervise_P44_W50_it_ran_on_the_timing_cpu_alone_and_met_no_page_fault(void **state)
{
	const json_t	*guards;

	(void)state;
	time_dot();
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
	time_dot();
	driver = t.artifacts.driver;
	timing_succeed(&t, JOB(PARTS("",
	    "double s = 0; for (int i = n - 1; i >= 0; i--) s += x[i] * y[i]; return s;"),
	    SPEC(1000, CHECK)));
	assert_string_equal(driver.hex, t.artifacts.driver.hex);
	assert_true(timing_number(&t, "evidence", "setup_ms") == 0);
	timing_succeed(&t, JOB(PARTS("", BODY), SPEC(1001, "")));
	assert_string_not_equal(driver.hex, t.artifacts.driver.hex);
	assert_true(timing_number(&t, "evidence", "setup_ms") > 0);
}

static void
test_supervise_another_submitters_job_gets_a_runner_of_its_own(void **state)
{
	(void)state;
	time_dot();
	time_dot();
	assert_true(timing_number(&t, "evidence", "setup_ms") == 0);
	supervisor_set_submitter(t.supervisor, 1000);
	time_dot();
	assert_true(timing_number(&t, "evidence", "setup_ms") > 0);
	time_dot();
	assert_true(timing_number(&t, "evidence", "setup_ms") == 0);
	supervisor_set_submitter(t.supervisor, 0);
	time_dot();
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
		{ "{'method': 'MultiCallFlushLRU', 'bytes': 4000000, 'walk': 'forward'}",
		"MultiCallFlushLRU", 250 },
		{ "{'method': 'MultiCallFlushLRU', 'bytes': 4000000, 'walk': 'random'}",
		"MultiCallFlushLRU", 250 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char	text[2048];

		snprintf(text, sizeof text, JOB(PARTS("", BODY),
		    "{'routine': 'double dot(int n, const double *x, const double *y)',"
		    "'params': {'N': 1000}, 'args': {'n': 'N', 'x': {'dims': ['N']}, 'y': {'dims': "
		    "['N']}}, 'timing':"
		    "{'trust': 'claimed', 'samples': 5, 'gate': false, 'flush': %s}" CHECK "}"),
		    rows[i].flush);
		timing_succeed(&t, text);
		assert_string_equal(timing_word(&t, "technique", "method"), rows[i].method);
		assert_string_equal(timing_word(&t, "technique", "context"), "cold");
		assert_true(timing_number(&t, "technique", "working_sets") >= rows[i].least_sets);
		assert_samples(5);
		assert_times_are_of_ticks();
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
	timing_succeed(&t, "{'variant': " SOURCE(PARTS("", BODY)) ", 'threads': 2, 'spec': "
	    DOT_COLD("{'method': 'OneCallFlushLRU', 'bytes': 4000000}") "}");
	assert_int_equal(timing_number(&t, "technique", "flush_cpus"), CPU_COUNT(&may));
	timing_close(&t);
	timing_open(&t);
	timing_succeed(&t, "{'variant': " SOURCE(PARTS("", BODY)) ", 'threads': 2, 'spec': "
	    DOT_COLD("{'method': 'OneCallFlushLRU', 'bytes': 4000000}") "}");
	assert_int_equal(timing_number(&t, "technique", "flush_cpus"), 1);
}

static void
test_supervise_W33_a_cold_time_comes_with_its_proof(void **state)
{
	const json_t	*sentinel;

	(void)state;
	timing_succeed(&t, JOB(PARTS("", BODY), DOT_COLD("{'method': 'OneCallFlushX86'}")));
	sentinel = timing_member(&t, "evidence", "sentinel");
	if (json_is_string(sentinel))
		assert_int_equal(strncmp(json_string_value(sentinel), "off: ", 5), 0);
	else
		assert_int_equal(json_integer_value(json_object_get(sentinel, "read")),
		    timing_taken(&t));
	assert_int_equal(timing_number(&t, "technique", "working_sets_touched"), 1);
	assert_string_equal(timing_word(&t, "technique", "tlb"), "cold");
	assert_string_equal(timing_word(&t, "technique", "page_tables"), "memory");

	timing_succeed(&t, JOB(PARTS("", BODY), DOT_COLD("{'page_tables': 'cached'}")));
	assert_string_equal(timing_word(&t, "technique", "page_tables"), "cached");
	assert_string_equal(timing_word(&t, "technique", "tlb"), "cold");

	timing_succeed(&t, JOB(PARTS("", BODY),
	    DOT_COLD("{'method': 'MultiCallFlushLRU', 'bytes': 4000000}")));
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
	const bool			several = access("/sys/devices/system/node/node1",
					    F_OK) == 0;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char		 text[2048];
		const json_t	*node;

		snprintf(text, sizeof text, JOB(PARTS("", BODY), DOT_COLD("%s")), flushes[i]);
		timing_succeed(&t, text);
		node = timing_member(&t, "technique", "numa_node");
		if (!listed)
			assert_string_equal(json_string_value(node), "unknown");
		else if (!several)
			assert_true(json_is_integer(node) && json_integer_value(node) == 0);
		else
			assert_true(json_is_integer(node) || strcmp(json_string_value(node),
			    "mixed") == 0);
	}
}

#define GET_SPEC(more)	"{'routine': 'double get(const double *x)', 'args': {'x': {'dims': [8]}} " more "}"
#define LONG_GET \
	"double get(const double *x) { for (volatile int i = 0; i < 5000000; i++); return x[0]; }"
#define SHORT_GET	"double get(const double *x) { return x[0]; }"
#define GET_CHECK \
	", 'check': {'reference': " SOURCE(LONG_GET) "}," \
	"'timing': {'trust': 'claimed', 'samples': 3}"

/*
 * The reference takes milliseconds on any machine, so one call is enough of it, and of a variant
 * that takes less.
 */
static void
test_supervise_auto_is_settled_by_the_reference_for_all_variants(void **state)
{
	(void)state;
	timing_succeed(&t, JOB(SHORT_GET, GET_SPEC(GET_CHECK)));
	assert_string_equal(timing_word(&t, "technique", "method"), "OneCallFlushX86");
	timing_succeed(&t, JOB(LONG_GET, GET_SPEC(GET_CHECK)));
	assert_string_equal(timing_word(&t, "technique", "method"), "OneCallFlushX86");
}

#define AXPY                                                                                                           \
	"void axpy(int n, double a, const double *x, double *y) {" \
	" for (int i = 0; i < n; i++) y[i] += a * x[i]; }"
#define AXPY_SPEC(n, context, timing) \
	"{'routine': 'void axpy(int n, double a, const double *x, double *y)', 'args': {'n': " #n ", 'a': 2.5," \
	"'x': {'dims': [" #n "]}, 'y': {'dims': [" #n "]}}," \
	"'check': {'reference': " SOURCE(AXPY) "}, 'context': '" context "'," \
	"'timing': {'trust': 'claimed' " timing "}}"

static void
test_supervise_an_inout_operand_is_restored_and_its_answer_checked(void **state)
{
	(void)state;
	timing_succeed(&t, JOB(AXPY, AXPY_SPEC(50000, "warm", "")));
	assert_string_equal(timing_word(&t, "technique", "inout"), "restored per call");
	assert_int_equal(timing_number(&t, "check", "compared"), 50000);
	timing_succeed(&t, JOB(AXPY, AXPY_SPEC(10, "warm", "")));
	assert_string_equal(timing_word(&t, "technique", "inout"), "restored per sample");
	timing_succeed(&t, JOB(AXPY, AXPY_SPEC(1000, "cold",
	    ", 'flush': {'method': 'MultiCallFlushLRU'}")));
	assert_string_equal(timing_word(&t, "technique", "inout"), "restored per call");
}

/*
 * A nap is never shorter than it shall be, and takes hardly any of the CPU, however many want that.
 */
static void
test_supervise_P22_P25_P27_a_sleeping_routine_takes_wall_time_and_no_cpu_time(void **state)
{
	static const char	job[] = JOB("#include <time.h>\\n"
	    "void nap(void) { struct timespec t = {0, 50000000}; nanosleep(&t, 0); }",
	    "{'routine': 'void nap(void)', 'args': {}, 'context': 'warm',"
	    "'timing': {'clock': '%s', 'samples': 3, 'calls': 1}}");
	char			text[1024];

	(void)state;
	snprintf(text, sizeof text, job, "wall");
	timing_succeed(&t, text);
	assert_string_equal(timing_word(&t, "technique", "clock"), "wall");
	assert_true(timing_min_ns(&t) >= 0.999 * 50e6);
	snprintf(text, sizeof text, job, "cpu");
	timing_succeed(&t, text);
	assert_string_equal(timing_word(&t, "technique", "clock"), "cpu");
	assert_true(timing_min_ns(&t) < 25e6);
}

/* ---- layouts ---- */

#define LAYOUTS(more)	"{'routine': 'double dot(int n, const double *x, const double *y)'," \
			"'args': {'n': 1000, 'x': {'dims': [1000]}, 'y': {'dims': [1000]}}, 'context': 'warm'," \
			"'timing': {'trust': 'claimed', " more "}" CHECK "}"

static void
test_supervise_a_sweep_of_layouts_comes_beside_the_time_of_the_default_one(void **state)
{
	const json_t	*points;
	int64_t		 code;

	(void)state;
	timing_succeed(&t, JOB(PARTS("", BODY), LAYOUTS("'layout': 'sweep', 'layouts': 4")));
	assert_shared_out();
	points = timing_member(&t, "layout", "points");
	assert_int_equal(json_array_size(points), 4);
	code = json_integer_value(json_object_get(json_array_get(points, 0), "code_offset"));
	assert_int_equal(code, 0);
	code = json_integer_value(json_object_get(json_array_get(points, 1), "code_offset"));
	assert_int_equal(code, 32);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(json_array_size(json_object_get(json_array_get(points, i),
		    "rounds")), 2);
	time_dot();
	assert_string_equal(timing_word(&t, "layout", "mode"), "fixed");
}

static void
test_supervise_random_layouts_give_one_sample_each(void **state)
{
	(void)state;
	timing_succeed(&t, JOB(PARTS("", BODY), LAYOUTS("'layout': 'random', 'layouts': 6")));
	assert_int_equal(timing_taken(&t), 6);
	assert_true(timing_number(&t, "evidence", "taken") >= 6 * 3);	/* more beside a neighbour */
	assert_true(timing_number(&t, "technique", "calls") >= 1);
	assert_true(json_is_true(timing_member(&t, "check", "passed")));
}

static void
test_supervise_an_answer_that_depends_on_the_layout_is_found(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t,
	    JOB(PARTS("", "if ((unsigned long)x % 4096 != (4096 - 8 * 1000 % 4096) / 64 * 64) "
	    "return 1e9; " BODY), LAYOUTS("'layout': 'sweep', 'layouts': 4"))), ST_WRONG_ANSWER);
	assert_true(detail_has("in layout 3 of 4"));
}

/* ---- what goes wrong is the variant's, in one word and with the reason ---- */

static void
test_supervise_P47_a_crash_is_told_with_its_signal_and_where(void **state)
{
	(void)state;
	assert_int_equal(run_body("", "*(volatile int *)0 = 1; return n + x[0] + y[0];"),
	    ST_CRASHED);
	assert_true(detail_has("SIGSEGV in check"));
	assert_int_equal(run_body("static int c; ", "if (++c > 20) __builtin_trap(); " BODY),
	    ST_CRASHED);
	assert_true(detail_has("SIGILL in "));
	assert_true(detail_has(timing_word(&t, "evidence", "failed_in")));
	assert_string_not_equal(timing_word(&t, "evidence", "failed_in"), "check");
	assert_int_equal(run_body("__attribute__((constructor)) static void c(void) { "
	    "__builtin_trap(); } ", BODY), ST_CRASHED);
	assert_true(detail_has("in load"));
	assert_int_equal(timing_taken(&t), 0);
}

static void
test_supervise_P10_reading_one_element_too_many_is_a_crash(void **state)
{
	(void)state;
	assert_int_equal(run_body("",
	    "double s = 0; for (int i = 0; i <= n; i++) s += x[i] * y[i]; return s;"), ST_CRASHED);
	assert_true(detail_has("SIGSEGV"));
}

/* On other machines than x86 it is an access, not a read or a write. */
static void
test_supervise_an_overrun_names_its_operand(void **state)
{
	static const struct {
		const char	*body, *x86;
	} bodies[] = {
		{ "return x[n] + y[0];", "SIGSEGV in check: read beyond the end of operand x" },
		{ "return x[0] + y[n + 100];", "SIGSEGV in check: read beyond the end of operand y" },
		{ "((double *)y)[n] = 1; return x[0];",
		    "SIGSEGV in check: write beyond the end of operand y" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		assert_int_equal(run_body("", bodies[i].body), ST_CRASHED);
#if defined(__x86_64__)
		assert_true(detail_has(bodies[i].x86));
#else
		assert_true(detail_has(strstr(bodies[i].x86, " beyond")));
#endif
	}
}

/*
 * In a walk over working sets, the place is another one than in the check.  A routine this slow is
 * not called on the operands that only wake the core.
 */
static void
test_supervise_an_overrun_of_working_sets_names_its_operand(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t, JOB(PARTS("#include <time.h>\\n static const double *home; ",
	    "struct timespec nap = { 0, 3000000 }; nanosleep(&nap, 0); if (home == 0) home = x;"
	    " double s = 0; const int m = x != home ? n + 64 * 1024 * 1024 : n;"
	    " for (int i = 0; i < m; i++) s += x[i]; return s + y[0];"),
	    "{'routine': 'double dot(int n, const double *x, const double *y)', 'params': {'N': 1000},"
	    "'args': {'n': 'N', 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}, 'context': 'cold',"
	    "'timing': {'trust': 'claimed', 'flush': {'method': 'MultiCallFlushLRU'}}}")), ST_CRASHED);
	assert_true(detail_has("beyond the end of operand x"));
	assert_string_not_equal(timing_word(&t, "evidence", "failed_in"), "check");
}

static void
test_supervise_a_crash_far_from_all_operands_names_none(void **state)
{
	(void)state;
	assert_int_equal(run_body("", "*(volatile int *)64 = 1; return n + x[0] + y[0];"),
	    ST_CRASHED);
	assert_false(strstr(t.detail, "operand") != NULL);
	assert_int_equal(run_body("int raise(int); ", "raise(11); return n + x[0] + y[0];"),
	    ST_CRASHED);
	assert_true(detail_has("SIGSEGV in check"));
	assert_int_equal(run_body("static int deep(volatile int *a) { volatile int b[4096]; b[0] = *a;"
	    " return deep(b) + b[0]; } ", "return deep(&n) + x[0] + y[0];"), ST_CRASHED);
	assert_true(detail_has("SIGSEGV in check"));
}

static void
test_supervise_leaving_early_is_a_crash(void **state)
{
	(void)state;
	/* not exit: what a sanitizer does then is refused */
	assert_int_equal(run_body("void _exit(int); ", "_exit(3); return n + x[0] + y[0];"),
	    ST_CRASHED);
	assert_true(detail_has("exited with code 3"));
}

static void
test_supervise_what_never_returns_is_stopped_at_the_wall_limit(void **state)
{
	const uint64_t	began = clock_now_ns();

	(void)state;
	assert_int_equal(timing_run(&t,
	    QUICK(PARTS("", "for (;;) __asm__ volatile (\\\"\\\"); return n + x[0] " "+ y[0];"),
	    SPEC(1000, ""))), ST_RUN_TIMEOUT);
	assert_true(clock_now_ns() - began >= 300000000u);
	assert_true(detail_has("wall limit"));
	time_dot();
}

static void
test_supervise_a_wrong_answer_is_told_with_its_place(void **state)
{
	(void)state;
	assert_int_equal(run_body("",
	    "double s = 1; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s;"),
	    ST_WRONG_ANSWER);
	assert_true(detail_has("return[0] is "));
	assert_string_equal(json_string_value(json_object_get(timing_member(&t,
	    "check", "first_bad"), "operand")), "return");
	assert_true(timing_number(&t, "check", "max_abs") > 0.99 && timing_number(&t, "check",
	    "max_abs") < 1.01);
	assert_int_equal(timing_run(&t,
	    JOB("void axpy(int n, double a, const double *x, double *y) {"
	    "for (int i = 0; i < n; i++) if (i != 77) y[i] += a * x[i]; }",
	    AXPY_SPEC(1000, "cold", ""))), ST_WRONG_ANSWER);
	assert_true(detail_has("y[77] is "));
	assert_int_equal(run_body("", "return 0.0 / (n - 1000) + x[0] + y[0];"), ST_NOT_FINITE);
}

/* Right in the check, wrong once it has been timed. */
static void
test_supervise_the_answer_is_checked_again_after_the_timing(void **state)
{
	(void)state;
	assert_int_equal(run_body("static int c; ", "if (c++ > 2) return 0; " BODY),
	    ST_WRONG_ANSWER);
}

static void
test_supervise_a_missing_routine_is_told_with_those_that_are_there(void **state)
{
	(void)state;
	assert_int_equal(timing_run(&t,
	    JOB("void zip(void) {} int dott(void) { return 0; }", SPEC(10, ""))), ST_LOAD_FAILED);
	assert_true(detail_has("there is no function \"dot\"; the object has dott, zip"));
}

static void
test_supervise_an_object_that_cannot_be_loaded_says_why_without_a_path(void **state)
{
	(void)state;
	assert_int_equal(run_body("void nowhere_to_be_found(void); ",
	    "nowhere_to_be_found(); return n + x[0] + y[0];"), ST_LOAD_FAILED);
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
	assert_int_equal(run_body("static volatile char z[1ull << 40]; ",
	    "z[n] = 1; return x[0] + y[0];"), ST_RUN_LIMIT);
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

/*
 * The runner outlives such attempts, or is replaced: tests/unit/test_bench.c shows that without
 * filters.
 */
static void
test_supervise_a_variant_that_starts_a_process_or_kills_one_is_forbidden(void **state)
{
	(void)state;
	assert_int_equal(run_body("#include <unistd.h>\\n static int f; ",
	    "if (!f++ && fork() == 0) { setsid(); for (;;) pause(); } " BODY), ST_FORBIDDEN);
	assert_true(detail_has("clone"));
	assert_int_equal(run_body("#include <signal.h>\\n#include <unistd.h>\\n",
	    "kill(getppid(), SIGKILL); for (;;) pause(); return n + x[0] + y[0];"), ST_FORBIDDEN);
	time_dot();
	assert_true(timing_number(&t, "evidence", "setup_ms") == 0);	/* the runner has not even noticed */
}

static void
test_supervise_page_faults_of_the_routine_itself_are_not_noise(void **state)
{
	(void)state;
	timing_succeed(&t, JOB(PARTS("#include <sys/mman.h>\\n",
	    "char *p = mmap(0, 65536, 3, 34, -1, 0); for (int i = 0; i < 16; i++) p[4096 * i] = 1;"
	    " munmap(p, 65536); " BODY), SPEC(1000, CHECK)));
	assert_true(timing_number(&t, "evidence", "own_faults") >= 16);
}

static void
test_supervise_an_object_that_left_the_cache_is_our_fault_and_said_so(void **state)
{
	struct job		 job;
	struct artifacts	 gone = { .driver = { "00" }, .variant = { "00" } };

	(void)state;
	support_job(&job, JOB(PARTS("", BODY), SPEC(10, "")));
	assert_int_equal(timing_time(&t, &job, &gone), ST_INTERNAL);
	assert_true(json_is_true(json_object_get(t.report, "artifact_missing")));
	job_release(&job);
}

static void
test_supervise_no_runner_outlives_an_internal_job(void **state)
{
	struct job		 job;
	struct artifacts	 gone;

	(void)state;
	time_dot();
	gone = t.artifacts;
	gone.variant = (struct hash){ "00" };
	support_job(&job, JOB(PARTS("", BODY), SPEC(1000, CHECK)));
	assert_int_equal(timing_time(&t, &job, &gone), ST_INTERNAL);
	job_release(&job);
	time_dot();
	assert_true(timing_number(&t, "evidence", "setup_ms") > 0);
}

static void
test_supervise_a_cancellation_is_noticed_while_a_variant_runs(void **state)
{
	(void)state;
	t.stop_after = 3;
	t.looks = 0;
	assert_int_equal(timing_run(&t,
	    JOB(PARTS("", "for (;;) __asm__ volatile (\\\"\\\"); return n + x[0] + y[0];"),
	    SPEC(1000, ""))), ST_CANCELLED);
	t.stop_after = 0;
	time_dot();
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
	timing_succeed(&t, JOB("void f(const char *a) {(void)a;}",
	    "{'routine': 'void f(const char *a)', 'args': {"
	    "'a': {'dims': [1000000]}}, 'context': 'warm'}"));
	assert_int_equal(timing_time(&t, &job, &t.artifacts), ST_RUN_LIMIT);
	assert_true(detail_has("GiB"));
	job_release(&job);
	json_decref(doc);
}

static unsigned
bays_in(const char *parent)
{
	DIR		*dir = opendir(parent);
	char		 own[32];
	unsigned	 n = 0;

	(void)snprintf(own, sizeof own, "bay.%d.", (int)getpid());
	for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;)
		n += strncmp(e->d_name, own, strlen(own)) == 0;
	if (dir != NULL)
		closedir(dir);
	return n;
}

static void
test_supervise_nothing_is_left_of_the_runners_directory(void **state)
{
	char		memory[64];
	const bool	has_memory = own_dir_in_memory(memory, sizeof memory, true);

	(void)state;
	time_dot();
	assert_int_equal(bays_in(t.scratch) + (has_memory ? bays_in(memory) : 0), 1);
	supervisor_free(t.supervisor);
	t.supervisor = NULL;
	assert_int_equal(bays_in(t.scratch) + (has_memory ? bays_in(memory) : 0), 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_supervise_a_right_variant_is_checked_and_timed),
		cmocka_unit_test(test_supervise_no_time_is_less_than_the_routine_took),
		cmocka_unit_test(test_supervise_P44_W50_it_ran_on_the_timing_cpu_alone_and_met_no_page_fault),
		cmocka_unit_test(test_supervise_P2_the_next_variant_finds_the_runner_and_its_driver_ready),
		cmocka_unit_test(test_supervise_another_submitters_job_gets_a_runner_of_its_own),
		cmocka_unit_test(test_supervise_W8_W24_W27_W33_every_method_takes_its_samples),
		cmocka_unit_test(test_supervise_W58_W59_a_routine_with_threads_is_flushed_on_every_cpu_it_may_use),
		cmocka_unit_test(test_supervise_W33_a_cold_time_comes_with_its_proof),
		cmocka_unit_test(test_supervise_W62_the_node_that_owns_the_operands_is_recorded),
		cmocka_unit_test(test_supervise_auto_is_settled_by_the_reference_for_all_variants),
		cmocka_unit_test(test_supervise_an_inout_operand_is_restored_and_its_answer_checked),
		cmocka_unit_test(test_supervise_P22_P25_P27_a_sleeping_routine_takes_wall_time_and_no_cpu_time),
		cmocka_unit_test(test_supervise_a_sweep_of_layouts_comes_beside_the_time_of_the_default_one),
		cmocka_unit_test(test_supervise_random_layouts_give_one_sample_each),
		cmocka_unit_test(test_supervise_an_answer_that_depends_on_the_layout_is_found),
		cmocka_unit_test(test_supervise_P47_a_crash_is_told_with_its_signal_and_where),
		cmocka_unit_test(test_supervise_P10_reading_one_element_too_many_is_a_crash),
		cmocka_unit_test(test_supervise_an_overrun_names_its_operand),
		cmocka_unit_test(test_supervise_an_overrun_of_working_sets_names_its_operand),
		cmocka_unit_test(test_supervise_a_crash_far_from_all_operands_names_none),
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
		cmocka_unit_test(test_supervise_no_runner_outlives_an_internal_job),
		cmocka_unit_test(test_supervise_a_cancellation_is_noticed_while_a_variant_runs),
		cmocka_unit_test(test_supervise_operands_larger_than_the_machine_are_a_limit),
		cmocka_unit_test(test_supervise_nothing_is_left_of_the_runners_directory),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
