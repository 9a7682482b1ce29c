/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/benches.h"
#include "worker/bench/bench_parts.h"
#include "worker/spawn/spawn.h"

/* A runner with the driver of `int f(int *y)`; routines that write what they are asked to. */
#define SPEC	"{'routine': 'int f(int *y)', 'args': {'y': {'dims': [1000], 'init': 'index'}}, 'context': 'warm'}"

#define SHORT_NS	(UINT64_C(200) * 1000000)	/* a limit that is to be reached */

static struct bench *
open_bench_with(unsigned threads, bool unfiltered)
{
	return benches_open(SPEC, (struct bench_config){ .output_bytes = 64 + 4032,
	    .threads = threads, .unfiltered = unfiltered });
}

static struct bench *
open_bench(void)
{
	return open_bench_with(1, false);
}

static enum status
check(struct bench *b, unsigned lane)
{
	static const struct runner_run	run = { .kind = RUNNER_CHECK };

	return bench_run(b, lane, &run, soon(), &answer);
}

static int
result(const struct bench *b, unsigned lane)
{
	return *(const int *)bench_output(b, lane);
}

static const int *
y_of(const struct bench *b, unsigned lane)
{
	return (const int *)(bench_output(b, lane) + 64);
}

static void
test_bench_the_driver_states_its_operands_and_routine(void **state)
{
	struct bench		*b = open_bench();
	struct runner_driver	 d = bench_driver(b);

	(void)state;
	assert_int_equal(d.operands, 1);
	assert_int_equal(d.count[0], 1000);
	assert_int_equal(d.result_bytes, sizeof(int));
	assert_string_equal(d.routine, "f");
	bench_free(b);
}

static void
test_bench_two_variants_are_alive_and_alternate(void **state)
{
	struct bench	*b = open_bench();

	(void)state;
	assert_int_equal(bench_load(b, 0, compile("one",
	    "int f(int *y) { static int n; y[1] = 100; return ++n; }"), soon(),
	    &answer), ST_OK);
	assert_int_equal(bench_load(b, 1, compile("two",
	    "int f(int *y) { static int n; y[2] = 200; return ++n + 50; }"), soon(),
	    &answer), ST_OK);
	for (int round = 1; round <= 5; round++) {
		assert_int_equal(check(b, 0), ST_OK);
		assert_int_equal(result(b, 0), round);
		assert_int_equal(y_of(b, 0)[1], 100);
		assert_int_equal(y_of(b, 0)[2], 2);		/* the other one's writing is its
								 * own */
		assert_int_equal(check(b, 1), ST_OK);
		assert_int_equal(result(b, 1), round + 50);
		assert_int_equal(y_of(b, 1)[1], 1);
		assert_int_equal(y_of(b, 1)[2], 200);
	}
	bench_drop(b, 0);
	assert_int_equal(check(b, 1), ST_OK);
	bench_drop(b, 1);
	assert_true(bench_is_usable(b));
	bench_free(b);
}

static void
test_bench_a_lane_is_free_again_after_a_crash_and_after_a_timeout(void **state)
{
	struct bench	*b = open_bench();
	const char	*crash = compile("crash",
			    "int f(int *y) { return *(volatile int *)0 + y[0]; }");
	const char	*spin = compile("spin",
			    "int f(int *y) { for (;;) __asm__ volatile (\"\"); return y[0]; }");
	const char	*good = compile("good", "int f(int *y) { return y[7]; }");
	static const struct runner_run	run = { .kind = RUNNER_CHECK };

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(bench_load(b, 0, crash, soon(), &answer), ST_OK);
		assert_int_equal(check(b, 0), ST_CRASHED);
		assert_string_equal(answer.words, "SIGSEGV in check");
		assert_int_equal(answer.phase, RUNNER_CHECKING);
		bench_drop(b, 0);
		assert_int_equal(bench_load(b, 0, spin, soon(), &answer), ST_OK);
		assert_int_equal(bench_run(b, 0, &run, clock_now_ns() + SHORT_NS, &answer),
		    ST_RUN_TIMEOUT);
		bench_drop(b, 0);
		assert_int_equal(bench_load(b, 0, good, soon(), &answer), ST_OK);
		assert_int_equal(check(b, 0), ST_OK);
		assert_int_equal(result(b, 0), 7);
		bench_drop(b, 0);
	}
	assert_true(bench_is_usable(b));
	bench_free(b);
}

/* Nothing of it runs beside the next one's first order. */
static void
test_bench_a_child_that_is_dropped_ends_while_the_next_one_loads(void **state)
{
	struct bench	*b = open_bench();
	const char	*good = compile("good", "int f(int *y) { return y[7]; }");
	pid_t		 pid;

	(void)state;
	assert_int_equal(bench_load(b, 0, good, soon(), &answer), ST_OK);
	for (int i = 0; i < 20; i++) {
		const unsigned	place = b->place[0];
		const bool	sealed = bench_child_sealed(b, 0) > 0;

		pid = bench_pid(b, 0);
		bench_drop(b, 0);
		assert_int_equal(b->leaving, sealed ? (int)place : -1);
		assert_int_equal(bench_load(b, 0, good, soon(), &answer), ST_OK);
		assert_int_equal(b->leaving, -1);
		assert_int_equal(kill(pid, 0), -1);
		assert_int_equal(b->place[0] != place, sealed);
		assert_int_equal(check(b, 0), ST_OK);
		assert_int_equal(result(b, 0), 7);
	}
	bench_free(b);
}

static void
test_bench_without_a_next_one_a_child_is_gone_before_any_order(void **state)
{
	struct bench	*b = open_bench();
	const char	*good = compile("good", "int f(int *y) { return y[7]; }");
	struct fault	 why;
	pid_t		 pid;

	(void)state;
	assert_int_equal(bench_load(b, 0, good, soon(), &answer), ST_OK);
	assert_int_equal(bench_load(b, 1, good, soon(), &answer), ST_OK);
	pid = bench_pid(b, 1);
	bench_drop(b, 1);
	assert_int_equal(check(b, 0), ST_OK);
	assert_int_equal(kill(pid, 0), -1);
	pid = bench_pid(b, 0);
	bench_drop(b, 0);
	assert_int_equal(bench_area(b, 0, &(struct runner_sets){ 0 }, SHORT_NS * 100, &why), ST_OK);
	assert_int_equal(kill(pid, 0), -1);
	bench_free(b);
}

static void
assert_gone_when_dropped(struct bench *b)
{
	pid_t	pid;

	assert_int_equal(bench_load(b, 0, compile("good", "int f(int *y) { return y[7]; }"), soon(),
	    &answer), ST_OK);
	pid = bench_pid(b, 0);
	bench_drop(b, 0);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(b->leaving, -1);
	bench_free(b);
}

/* It may have started others, which the template ends with it. */
static void
test_bench_a_child_that_may_have_others_is_gone_when_it_is_dropped(void **state)
{
	(void)state;
	assert_gone_when_dropped(open_bench_with(2, false));
}

static void
test_bench_a_child_that_may_be_large_is_gone_when_it_is_dropped(void **state)
{
	(void)state;
	assert_gone_when_dropped(benches_open(SPEC, (struct bench_config){
	    .output_bytes = 64 + 4032, .threads = 1, .memory_bytes = (uint64_t)2 << 30 }));
}

/* Others want its CPU, too: until the wall limit they would have none of it. */
static void
test_bench_a_routine_that_hangs_loses_its_priority(void **state)
{
	static const struct runner_run	run = { .kind = RUNNER_CHECK, .realtime = 1 };
	const char			*spin = compile("spin",
					    "int f(int *y) { if (y[7] == 7) for (;;) __asm__ volatile (\"\"); return 1; }");
	const char			*good = compile("good", "int f(int *y) { return y[7]; }");
	struct bench			*b = open_bench();
	bool				 may_be_raised;

	(void)state;
	assert_int_equal(bench_load(b, 0, good, soon(), &answer), ST_OK);
	assert_int_equal(bench_run(b, 0, &run, soon(), &answer), ST_OK);
	may_be_raised = answer.realtime;
	bench_drop(b, 0);
	assert_int_equal(bench_load(b, 0, spin, soon(), &answer), ST_OK);
	assert_int_equal(bench_run(b, 0, &run, clock_now_ns() + 30 * SHORT_NS, &answer),
	    ST_RUN_TIMEOUT);
	assert_int_equal(sched_getscheduler(bench_pid(b, 0)) & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
	assert_false(answer.realtime);
	bench_free(b);
	if (!may_be_raised)
		skip();
}

static void
test_bench_an_answer_that_the_runner_never_gives_is_the_processs_own(void **state)
{
	struct bench			*b = open_bench();
	static const struct runner_run	 none = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 0 };

	(void)state;
	assert_int_equal(bench_load(b, 0, compile("good", "int f(int *y) { return y[7]; }"), soon(),
	    &answer), ST_OK);
	assert_int_equal(bench_run(b, 0, &none, soon(), &answer), ST_CRASHED);
	assert_non_null(strstr(answer.words, "its process answered what the runner never does"));
	bench_free(b);
}

static void
test_bench_samples_come_back_as_many_as_asked_and_pinned(void **state)
{
	struct bench			*b = open_bench();
	static const struct runner_run	 run = { .kind = RUNNER_SAMPLE,
	    .samples = RUNNER_SAMPLES, .calls = 3, .warm_calls = 1 };

	(void)state;
	assert_int_equal(bench_load(b, 1, compile("good", "int f(int *y) { return y[7]; }"), soon(),
	    &answer), ST_OK);
	assert_true(answer.rest_pace > 0);
	assert_true(bench_pid(b, 1) > 0);
	assert_int_equal(bench_pid(b, 0), 0);		/* however long the lock of another lane is */
	assert_int_equal(bench_run(b, 1, &run, soon(), &answer), ST_OK);
	assert_int_equal(answer.samples, RUNNER_SAMPLES);
	assert_true(answer.pinned);
	assert_true(answer.took_ns > 0);
	for (int i = 0; i < RUNNER_SAMPLES; i++)
		assert_true(answer.sample[i].ticks > 0);
	bench_free(b);
}

/*
 * A process in a group of its own is not found by its group: the runner says so and is taken down
 * whole.
 */
static void
test_bench_what_escapes_its_group_takes_the_runner_with_it(void **state)
{
	struct bench	*b = open_bench_with(1, true);

	(void)state;
	assert_int_equal(bench_load(b, 0, compile("escape", "#include <unistd.h>\nint f(int *y) {"
	    "int pid = fork(); if (pid == 0) { setsid(); for (;;) pause(); }"
	    "while (getpgid(pid) == getpgrp()) usleep(100); return y[0]; }"), soon(), &answer),
	    ST_OK);
	assert_int_equal(check(b, 0), ST_OK);
	bench_drop(b, 0);
	assert_false(bench_is_usable(b));
	bench_free(b);
}

static void
test_bench_children_that_stay_in_their_group_are_killed_with_it(void **state)
{
	struct bench	*b = open_bench_with(1, true);

	(void)state;
	assert_int_equal(bench_load(b, 0, compile("brood", "#include <unistd.h>\nint f(int *y) {"
	    "for (int i = 0; i < 20; i++) if (fork() == 0) for (;;) pause(); return y[0]; }"),
	    soon(), &answer), ST_OK);
	assert_int_equal(check(b, 0), ST_OK);
	bench_drop(b, 0);
	assert_true(bench_is_usable(b));
	bench_free(b);
}

/* A kernel without seccomp has no filters to test. */
static void
need_filters(void)
{
	if (!jail_support()->seccomp)
		skip();
}

/*
 * The shared memory lies near the operands: the routine asks the kernel what can be read, and
 * overwrites it, DISTANCE behind its first byte.
 */
#define VANDAL \
	"#include <string.h>\n#include <unistd.h>\n" \
	"int f(int *y) {\n" \
	"	int p[2], word;\n" \
	"	if (pipe(p) != 0) return 1;\n" \
	"	unsigned long first = ((unsigned long)y & -4096) - (32 << 20);\n" \
	"	for (unsigned long at = first; at < 0x7fffffff0000; at += 4096) {\n" \
	"		if (write(p[1], (void *)at, 4) != 4 || read(p[0], &word, 4) != 4)" \
	" continue;\n" \
	"		if (word == 0x59415341) {\n" \
	"			memset((void *)(at + DISTANCE), 0xff, 20000);\n" \
	"			break;\n" \
	"		}\n" \
	"	}\n" \
	"	for (;;) pause();\n" \
	"	return y[0];\n" \
	"}\n"

static void
test_bench_nothing_that_is_written_into_the_shared_memory_harms_us(void **state)
{
	struct bench	*b = open_bench_with(1, true);

	(void)state;
	assert_int_equal(bench_load(b, 0, compile("vandal",
	    "#define DISTANCE 65536\n" VANDAL), soon(), &answer), ST_OK);
	assert_int_equal(check(b, 0), ST_CRASHED);
#if !defined(__SANITIZE_ADDRESS__)	/* whose own memory it may hit first */
	assert_non_null(strstr(answer.words, "exited with code 255"));	/* that is what it wrote */
#endif
	assert_true(answer.phase < RUNNER_NPHASES);
	assert_true(strlen(answer.words) < sizeof answer.words);
	bench_drop(b, 0);
	bench_free(b);
}

static void
test_bench_orders_to_the_template_are_out_of_a_variants_reach(void **state)
{
	struct bench	*b = open_bench_with(1, true);

	(void)state;
	assert_int_equal(bench_load(b, 0, compile("clerk", "#define DISTANCE 0\n" VANDAL), soon(),
	    &answer), ST_OK);
	assert_int_equal(check(b, 0), ST_CRASHED);
#if !defined(__SANITIZE_ADDRESS__)	/* whose own memory it may hit first */
	assert_non_null(strstr(answer.words, "SIGSEGV in check"));
#endif
	bench_drop(b, 0);
	assert_true(bench_is_usable(b));
	assert_int_equal(bench_load(b, 0, compile("after", "int f(int *y) { return y[3]; }"),
	    soon(), &answer), ST_OK);
	assert_int_equal(check(b, 0), ST_OK);
	assert_int_equal(result(b, 0), 3);
	bench_free(b);
}

static void
test_bench_a_variant_cannot_map_the_shared_memory_anew(void **state)
{
	struct bench	*b;

	(void)state;
	need_filters();
	b = open_bench();
	assert_int_equal(bench_load(b, 0, compile("maps", "#include <sys/mman.h>\n"
	    "static int n; static void map(void) {"
	    " n += mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0) != MAP_FAILED;"
	    " n += mmap(0, 4096, PROT_READ, MAP_PRIVATE, 4, 0) != MAP_FAILED; }"
	    "__attribute__((constructor)) static void c(void) { map(); }"
	    "int f(int *y) { map(); y[0] = n; return n; }"), soon(), &answer), ST_OK);
	assert_int_equal(check(b, 0), ST_OK);
	assert_int_equal(result(b, 0), 0);
	bench_free(b);
}

/* What comes of calling `int f(int *y)` with this body; the words are in `answer`. */
static enum status
call(unsigned threads, const char *name, const char *text)
{
	struct bench	*b = open_bench_with(threads, false);
	enum status	 st = bench_load(b, 0, compile(name, text), soon(), &answer);

	if (st == ST_OK)
		st = check(b, 0);
	bench_drop(b, 0);
	bench_free(b);
	return st;
}

static void
test_bench_a_system_call_that_is_refused_is_named_with_its_phase(void **state)
{
	(void)state;
	need_filters();
	assert_int_equal(call(1, "forks",
	    "#include <unistd.h>\nint f(int *y) { return fork() + y[0]; }"), ST_FORBIDDEN);
	assert_non_null(strstr(answer.words, "clone, in check"));
	assert_int_equal(call(1, "opens",
	    "#include <fcntl.h>\nint f(int *y) { return open(\"/usr\", y[0]); }"), ST_FORBIDDEN);
	assert_non_null(strstr(answer.words, "openat, in check"));
}

static void
test_bench_a_constructor_runs_under_a_filter_already(void **state)
{
	(void)state;
	need_filters();
	assert_int_equal(call(1, "early",
	    "#include <unistd.h>\n__attribute__((constructor)) static void c(void)"
	    "{ (void)!execl(\"/bin/true\", \"true\", (char *)0); } int f(int *y) { return y[0]; }"),
	    ST_FORBIDDEN);
	assert_non_null(strstr(answer.words, "execve, in load"));
}

/* Loading one of tests/hostile/variants/ ends so; none is called. */
static void
assert_forbidden(const char *name, const char *words)
{
	char	text[4096 + 128], top[4096];

	need_filters();
	if (!filters_are_counted("/proc"))
		skip();
	assert_non_null(getcwd(top, sizeof top));
	snprintf(text, sizeof text, "#include \"%s/tests/hostile/variants/%s.c\"\n", top, name);
	assert_int_equal(call(1, name, text), ST_FORBIDDEN);
	assert_non_null(strstr(answer.words, words));
}

static void
test_bench_a_variant_cannot_install_a_filter_of_its_own(void **state)
{
	(void)state;
	assert_forbidden("constructor_declines_filter", "the system call seccomp, in load");
}

static void
test_bench_a_variant_that_leaves_a_filter_out_is_found_by_their_number(void **state)
{
	(void)state;
	assert_forbidden("constructor_skips_filter",
	    "the variant changed the filter of its system calls");
}

static void
test_bench_a_variant_that_hides_its_process_is_found(void **state)
{
	(void)state;
	assert_forbidden("constructor_hides", "the variant hid its process from the supervisor");
}

static void
test_bench_a_routine_cannot_write_code_or_take_signals(void **state)
{
	(void)state;
	need_filters();
	assert_int_equal(call(1, "wx",
	    "#include <sys/mman.h>\nint f(int *y) { return mmap(0, 4096, PROT_READ | PROT_EXEC,"
	    "MAP_PRIVATE | MAP_ANONYMOUS, -1, y[0]) == MAP_FAILED; }"), ST_FORBIDDEN);
	assert_int_equal(call(1, "sig",
	    "#include <signal.h>\nint f(int *y) { return signal(SIGSYS, SIG_IGN) == SIG_ERR"
	    " || y[0]; }"), ST_FORBIDDEN);
#if !defined(__SANITIZE_ADDRESS__)	/* which needs it itself */
	assert_int_equal(call(1, "over",
	    "#include <sys/mman.h>\nint f(int *y) { return mprotect((void *)((long)f & -4096),"
	    "4096, PROT_READ | PROT_WRITE) + y[0]; }"), ST_FORBIDDEN);
#endif
}

#if defined(__x86_64__)
static void
test_bench_another_architectures_calls_end_it_at_once(void **state)
{
	(void)state;
	need_filters();
	/* not every kernel has calls of 32 bits: without them the instruction is a fault */
	(void)call(1, "int80",
	    "int f(int *y) { int r = 20 + y[0]; __asm__ volatile(\"int $0x80\" : \"+a\"(r));"
	    "return r; }");
	assert_true(answer.status == ST_FORBIDDEN || answer.status == ST_CRASHED);
	assert_int_equal(call(1, "x32",
	    "#include <unistd.h>\nint f(int *y) { return (int)syscall(0x40000000 + 39) + y[0]; }"),
	    ST_FORBIDDEN);
	assert_non_null(strstr(answer.words, "of a foreign kind"));
}
#endif

static void
test_bench_what_an_honest_routine_needs_it_may_do(void **state)
{
	(void)state;
	assert_int_equal(call(1, "honest",
	    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n"
	    "int f(int *y) { size_t n = 1 << 22; char *p = malloc(n); memset(p, 1, n); p = "
	    "realloc(p, 4 * n); p[4 * n - 1] = 1;"
	    "struct timespec t = { 0, 1000 }; nanosleep(&t, NULL); printf(\"%d %ld\\n\", y[0], "
	    "(long)clock());" "fflush(stdout); free(p); return 1; }"), ST_OK);
	assert_int_equal(call(1, "aborts",
	    "#include <stdlib.h>\nint f(int *y) { if (y[1]) abort(); return 0; }"), ST_CRASHED);
	assert_non_null(strstr(answer.words, "SIGABRT"));
}

static void
test_bench_threads_are_for_jobs_that_ask_for_them(void **state)
{
	static const char	text[] =
	    "#include <pthread.h>\nstatic void *work(void *y) { *(int *)y = 7; return y; }\n"
	    "int f(int *y) { pthread_t t; if (pthread_create(&t, 0, work, y)) return 1; return "
	    "pthread_join(t, 0) + y[0]; }";

	(void)state;
	assert_int_equal(call(2, "team", text), ST_OK);
	need_filters();
	assert_int_equal(call(1, "alone", text), ST_FORBIDDEN);
	assert_int_equal(call(2, "process",
	    "#include <unistd.h>\nint f(int *y) { return fork() + y[0]; }"), ST_FORBIDDEN);
}

struct helpers {
	unsigned	 n, asleep;	/* threads of a process other than its first */
	long		 least_sleeps;	/* how often the one went to sleep that did so least */
	cpu_set_t	 cpus;		/* of those that are bound to one */
};

static void
see_helper(struct helpers *h, pid_t pid, pid_t thread)
{
	char		 path[64], line[200], now = 0;
	long		 sleeps = 0;
	cpu_set_t	 its;
	FILE		*f;

	snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)pid, (int)thread);
	assert_non_null(f = fopen(path, "r"));
	while (fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "State: %c", &now) != 1)
			(void)sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
	(void)fclose(f);
	assert_int_equal(sched_getaffinity(thread, sizeof its, &its), 0);
	if (CPU_COUNT(&its) == 1)
		CPU_OR(&h->cpus, &h->cpus, &its);
	h->asleep += now == 'S';
	h->least_sleeps = h->n++ == 0 || sleeps < h->least_sleeps ? sleeps : h->least_sleeps;
}

static struct helpers
helpers_of(pid_t pid)
{
	struct helpers	 h = { 0 };
	char		 path[64];
	struct dirent	*e;
	DIR		*d;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	assert_non_null(d = opendir(path));
	while ((e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' && atoi(e->d_name) != (int)pid)
			see_helper(&h, pid, atoi(e->d_name));
	(void)closedir(d);
	return h;
}

/*
 * When all are asleep, having gone to sleep at least so often: one that is left alone does not do
 * so again.
 */
static struct helpers
helpers_at_rest(pid_t pid, long sleeps)
{
	const uint64_t	give_up_ns = soon();
	struct helpers	h;

	do {
		if (clock_now_ns() > give_up_ns)
			fail_msg("a helper was not woken");
		h = helpers_of(pid);
	} while (h.asleep < h.n || h.least_sleeps < sleeps);
	return h;
}

/* That each does its part before every sample, test_rt_crew.c shows. */
static void
test_bench_W58_an_order_for_a_routine_with_threads_wakes_a_helper_on_every_cpu(void **state)
{
	static const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 40, .calls = 1,
		.flush = RUNNER_FLUSH_LRU, .flush_bytes = 64 << 10 };
	struct bench			*b;
	struct fault			 why;
	struct helpers			 before;

	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	assert_int_equal(sched_getaffinity(0, sizeof slot.all, &slot.all), 0);
	b = open_bench_with(2, false);
	assert_int_equal(bench_area(b, (uint64_t)CPU_COUNT(&slot.all) * run.flush_bytes,
	    &(struct runner_sets){ 0 }, 600000000000u, &why), ST_OK);
	assert_int_equal(bench_load(b, 0, compile("good", "int f(int *y) { return y[7]; }"), soon(),
	    &answer), ST_OK);
	before = helpers_at_rest(bench_pid(b, 0), 0);
	assert_int_equal(before.n, CPU_COUNT(&slot.all));
	assert_true(CPU_EQUAL(&before.cpus, &slot.all));
	assert_int_equal(bench_run(b, 0, &run, soon(), &answer), ST_OK);
	assert_int_equal(answer.samples, run.samples);
	(void)helpers_at_rest(bench_pid(b, 0), before.least_sleeps + 1);
	bench_free(b);
	CPU_ZERO(&slot.all);
}

/* Nobody replies on its lane; a later load is as any other. */
static void
test_bench_a_load_that_the_template_cannot_fork_for_says_why_at_once(void **state)
{
	struct bench	*b = open_bench();
	uint32_t	 shift[RUNNER_OPERANDS] = { UINT32_MAX };
	const char	*good = compile("good", "int f(int *y) { return y[7]; }");
	const uint64_t	 began_ns = clock_now_ns();

	(void)state;
	bench_shift(b, shift);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(bench_load(b, 0, good, soon(), &answer), ST_RUN_LIMIT);
		assert_non_null(strstr(answer.words, "too far from its place"));
	}
	assert_true(clock_now_ns() - began_ns < LIMIT_NS);
	shift[0] = 0;
	bench_shift(b, shift);
	assert_int_equal(bench_load(b, 0, good, soon(), &answer), ST_OK);
	assert_int_equal(check(b, 0), ST_OK);
	assert_int_equal(result(b, 0), 7);
	bench_free(b);
}

static pid_t
parent_of(pid_t pid)
{
	char	 path[32];
	int	 parent = 0;
	FILE	*f;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	assert_non_null(f = fopen(path, "r"));
	assert_int_equal(fscanf(f, "%*d (%*[^)]) %*c %d", &parent), 1);
	(void)fclose(f);
	return parent;
}

/* Of a slot of several CPUs the first alone: the others have crews that are asleep, not idle. */
static void
test_bench_the_template_may_work_where_its_child_is_timed_and_nowhere_else_in_the_slot(void **state)
{
	struct bench	*b;
	cpu_set_t	 own, may;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof own, &own), 0);
	slot.all = own;
	b = open_bench();
	assert_int_equal(bench_load(b, 0, compile("good", "int f(int *y) { return y[7]; }"), soon(), &answer), ST_OK);
	assert_int_equal(sched_getaffinity(parent_of(bench_pid(b, 0)), sizeof may, &may), 0);
	assert_int_equal(CPU_COUNT(&may), 1);
	assert_true(CPU_ISSET((size_t)slot.cpu, &may));
	bench_free(b);
	CPU_ZERO(&slot.all);
	b = open_bench();
	assert_int_equal(bench_load(b, 0, compile("good", "int f(int *y) { return y[7]; }"), soon(), &answer), ST_OK);
	assert_int_equal(sched_getaffinity(parent_of(bench_pid(b, 0)), sizeof may, &may), 0);
	assert_true(CPU_EQUAL(&may, &own));
	bench_free(b);
}

static void
test_bench_the_bay_is_gone_with_the_bench(void **state)
{
	struct bench	*b = open_bench(), *linked = benches_open(SPEC,
			    (struct bench_config){ .output_bytes = 64 + 4032, .links = true });
	DIR		*dir;
	unsigned	 bays = 0;

	(void)state;
	bench_free(b);
	bench_free(linked);
	bench_free(NULL);
	assert_non_null(dir = opendir(scratch));
	for (struct dirent *e; (e = readdir(dir)) != NULL;)
		bays += e->d_name[0] != '.';
	closedir(dir);
	assert_int_equal(bays, 0);
}

static void
test_bench_a_driver_that_is_none_is_our_fault_and_said_so(void **state)
{
	struct bench_config	 config = { .slot = &slot, .output_bytes = 64,
				     .setup_limit_ns = LIMIT_NS };
	struct bench		*b;
	struct fault		 why;

	(void)state;
	bench_free(open_bench());
	config.driver_path = compile("none", "int x;");
	assert_int_equal(bench_new(&b, &config, &why), ST_INTERNAL);
	assert_non_null(strstr(why.text, "the driver cannot be loaded"));
	assert_null(b);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_bench_the_driver_states_its_operands_and_routine),
		cmocka_unit_test(test_bench_two_variants_are_alive_and_alternate),
		cmocka_unit_test(test_bench_a_lane_is_free_again_after_a_crash_and_after_a_timeout),
		cmocka_unit_test(test_bench_a_child_that_is_dropped_ends_while_the_next_one_loads),
		cmocka_unit_test(test_bench_without_a_next_one_a_child_is_gone_before_any_order),
		cmocka_unit_test(test_bench_a_child_that_may_have_others_is_gone_when_it_is_dropped),
		cmocka_unit_test(test_bench_a_child_that_may_be_large_is_gone_when_it_is_dropped),
		cmocka_unit_test(test_bench_a_routine_that_hangs_loses_its_priority),
		cmocka_unit_test(
		    test_bench_an_answer_that_the_runner_never_gives_is_the_processs_own),
		cmocka_unit_test(test_bench_samples_come_back_as_many_as_asked_and_pinned),
		cmocka_unit_test(test_bench_what_escapes_its_group_takes_the_runner_with_it),
		cmocka_unit_test(test_bench_children_that_stay_in_their_group_are_killed_with_it),
		cmocka_unit_test(test_bench_nothing_that_is_written_into_the_shared_memory_harms_us),
		cmocka_unit_test(test_bench_orders_to_the_template_are_out_of_a_variants_reach),
		cmocka_unit_test(test_bench_a_variant_cannot_map_the_shared_memory_anew),
		cmocka_unit_test(test_bench_a_system_call_that_is_refused_is_named_with_its_phase),
		cmocka_unit_test(test_bench_a_constructor_runs_under_a_filter_already),
		cmocka_unit_test(test_bench_a_variant_cannot_install_a_filter_of_its_own),
		cmocka_unit_test(
		    test_bench_a_variant_that_leaves_a_filter_out_is_found_by_their_number),
		cmocka_unit_test(test_bench_a_variant_that_hides_its_process_is_found),
		cmocka_unit_test(test_bench_a_routine_cannot_write_code_or_take_signals),
#if defined(__x86_64__)
		cmocka_unit_test(test_bench_another_architectures_calls_end_it_at_once),
#endif
		cmocka_unit_test(test_bench_what_an_honest_routine_needs_it_may_do),
		cmocka_unit_test(test_bench_threads_are_for_jobs_that_ask_for_them),
		cmocka_unit_test(
		    test_bench_W58_an_order_for_a_routine_with_threads_wakes_a_helper_on_every_cpu),
		cmocka_unit_test(
		    test_bench_a_load_that_the_template_cannot_fork_for_says_why_at_once),
		cmocka_unit_test(
		    test_bench_the_template_may_work_where_its_child_is_timed_and_nowhere_else_in_the_slot),
		cmocka_unit_test(test_bench_the_bay_is_gone_with_the_bench),
		cmocka_unit_test(test_bench_a_driver_that_is_none_is_our_fault_and_said_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
