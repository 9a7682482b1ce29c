/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/wire/runner_desk.h"
#include "tests/support/benches.h"
#include "worker/bench/bench_parts.h"
#include "worker/check/answer.h"
#include "worker/runner/sample/fill.h"

/* Challenges to a real runner. */
#define SPEC	"{'routine': 'int f(const double *x, double *y)', 'args': {" \
		"'x': {'dims': [1000]}, 'y': {'dims': [1000], 'access': 'out'}}, " \
		"'context': 'warm'}"
enum { X, Y, N = 1000, CALLS = 8 };

#define HONEST	"int f(const double *x, double *y) { static int n;" \
		"for (int i = 0; i < 1000; i++) y[i] = 2 * x[i] + 1; return ++n; }"

static struct challenge		layout;
static uint64_t			output_bytes;
static uint64_t			seeds[RUNNER_BATCH][2];
static struct challenge_time	took;

static struct bench *
open_of(unsigned threads, bool unfiltered, uint64_t challenge_bytes)
{
	return benches_open(SPEC, (struct bench_config){ .output_bytes = output_bytes,
	    .threads = threads, .challenge_bytes = challenge_bytes, .unfiltered = unfiltered });
}

static struct bench *
open_for(unsigned threads, bool unfiltered)
{
	return open_of(threads, unfiltered, challenge_area_bytes(&layout));
}

static void
load(struct bench *b, unsigned lane, const char *name, const char *text)
{
	if (bench_load(b, lane, compile(name, text), soon(), &answer) != ST_OK)
		fail_msg("%s", answer.words);
}

/* A bench with this on its first lane. */
static struct bench *
open_with(const char *name, const char *text)
{
	struct bench	*b = open_for(1, false);

	load(b, 0, name, text);
	return b;
}

static struct runner_challenge
place(const struct bench *b, uint32_t calls)
{
	uint64_t	home[RUNNER_OPERANDS];

	bench_homes(b, home);
	return challenge_lay(&layout, home, calls);
}

static void
choose_seeds(uint64_t of)
{
	for (uint32_t i = 0; i < RUNNER_BATCH; i++) {
		seeds[i][0] = rt_number(of, 2 * i);
		seeds[i][1] = rt_number(of, 2 * i + 1);
	}
}

/* With the seeds as they are. */
static enum status
challenge(struct bench *b, unsigned lane, uint32_t calls)
{
	const struct bench_challenge	c = { .of = &layout, .place = place(b, calls),
	    .seed = seeds };

	return bench_challenge(b, lane, &c, soon(), &took, &answer);
}

static const double *
operand(const struct bench *b, unsigned lane, uint32_t nth, int k)
{
	const struct runner_challenge	p = place(b, 1);

	return (const double *)(const void *)(bench_sets(b, lane) + nth * p.set_bytes + p.at[k]);
}

static int
result(const struct bench *b, unsigned lane, uint32_t nth)
{
	return *(const int *)(const void *)(bench_results(b, lane) + nth * RT_MAX_RESULT);
}

/* The answers of HONEST, whose first call of these was its nth. */
static void
assert_answered(const struct bench *b, unsigned lane, uint32_t calls, int nth)
{
	for (uint32_t i = 0; i < calls; i++) {
		const double	*x = operand(b, lane, i, X), *y = operand(b, lane, i, Y);

		assert_int_equal(result(b, lane, i), nth + (int)i);
		for (int e = 0; e < N; e++)
			assert_true(x[e] >= -1 && x[e] <= 1 && y[e] == 2 * x[e] + 1);
	}
}

/* Of the lane's process: R, S, T, … */
static char
state_of(const struct bench *b, unsigned lane)
{
	char	 path[64], text[512] = "";
	FILE	*f;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)bench_pid(b, lane));
	if ((f = fopen(path, "re")) == NULL)
		return '?';
	(void)!fread(text, 1, sizeof text - 1, f);
	(void)fclose(f);
	return strrchr(text, ')') != NULL ? strrchr(text, ')')[2] : '?';
}

/* ---- inputs and answers ---- */

static void
test_bench_challenge_each_of_many_calls_has_its_own_inputs_result_and_outputs(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, CALLS), ST_OK);
	assert_true(took.is_hidden == jail_support()->seccomp && took.took_ns > 0);
	assert_true(took.pace > 0);
	assert_answered(b, 0, CALLS, 1);
	for (uint32_t i = 1; i < CALLS; i++)
		for (int e = 0; e < N; e++)
			assert_true(operand(b, 0, i, X)[e] != operand(b, 0, i - 1, X)[e]);
	assert_int_equal(challenge(b, 0, challenge_most_calls(&layout)), ST_OK);
	assert_answered(b, 0, challenge_most_calls(&layout), CALLS + 1);
	bench_free(b);
}

static void
test_bench_challenge_operands_lie_where_those_of_samples_do_in_their_pages(void **state)
{
	struct bench	*b = open_with("where", "int f(const double *x, double *y)"
			    "{ y[0] = (long)x % 4096; y[1] = (long)y % 4096; return 0; }");
	uint64_t	 home[RUNNER_OPERANDS];

	(void)state;
	bench_homes(b, home);
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, CALLS), ST_OK);
	for (uint32_t i = 0; i < CALLS; i++)
		for (int k = X; k <= Y; k++)
			assert_true(operand(b, 0, i, Y)[k] == (double)(home[k] % 4096));
	bench_free(b);
}

static void
test_bench_challenge_outputs_are_poisoned_so_what_is_left_out_shows(void **state)
{
	struct bench		*b = open_with("lazy", "int f(const double *x, double *y)"
				    "{ y[0] = x[0]; return 0; }");
	const unsigned char	*y;

	(void)state;
	for (uint64_t of = 1; of < 3; of++) {
		choose_seeds(of);
		assert_int_equal(challenge(b, 0, 2), ST_OK);
		y = (const unsigned char *)operand(b, 0, 1, Y);
		assert_true(y[8] >= 0x80);
		for (size_t i = 9; i < N * sizeof(double); i++)
			assert_int_equal(y[i], y[8]);
	}
	bench_free(b);
}

static void
test_bench_challenge_the_reference_has_the_same_inputs_from_the_same_seeds(void **state)
{
	struct bench	*b = open_with("honest", HONEST);
	const size_t	 bytes = N * sizeof(double);

	(void)state;
	load(b, 1, "reference", HONEST);
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, CALLS), ST_OK);
	assert_int_equal(challenge(b, 1, CALLS), ST_OK);
	for (uint32_t i = 0; i < CALLS; i++)
		for (int k = X; k <= Y; k++)
			assert_memory_equal(operand(b, 0, i, k), operand(b, 1, i, k), bytes);
	choose_seeds(2);
	assert_int_equal(challenge(b, 1, CALLS), ST_OK);
	for (uint32_t i = 0; i < CALLS; i++)
		for (int e = 0; e < N; e++)
			assert_true(operand(b, 0, i, X)[e] != operand(b, 1, i, X)[e]);
	bench_free(b);
}

static void
test_bench_challenge_inputs_depend_on_both_words_of_their_seed(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	memcpy(seeds[1], seeds[0], sizeof seeds[0]);
	memcpy(seeds[2], seeds[0], sizeof seeds[0]);
	seeds[1][0] ^= 2;
	seeds[2][1] ^= 2;
	assert_int_equal(challenge(b, 0, 3), ST_OK);
	for (uint32_t i = 1; i < 3; i++)
		for (int e = 0; e < N; e++)
			assert_true(operand(b, 0, i, X)[e] != operand(b, 0, 0, X)[e]);
	bench_free(b);
}

static void
test_bench_challenge_cold_and_polluted_ones_are_answered_like_others(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	for (int i = 0; i < 8; i++) {
		const struct bench_challenge	c = { &layout, place(b, CALLS), seeds,
		    (uint64_t)i & 3, i >> 2 & 1, i & 1 };

		choose_seeds(10 + (uint64_t)i);
		assert_int_equal(bench_challenge(b, 0, &c, soon(), &took, &answer), ST_OK);
		assert_answered(b, 0, CALLS, 1 + i * CALLS);
	}
	bench_free(b);
}

static void
assert_wiped(const struct bench *b)
{
	const char	*at = bench_output(b, 0);

	for (size_t i = 0; i < b->lane_bytes - b->output_at; i++)
		if (at[i] != 0)
			fail_msg("byte %zu is %d", i, at[i]);
}

static void
test_bench_challenge_nothing_is_left_of_one_for_what_is_loaded_next_on_its_lane(void **state)
{
	static const struct runner_run	 run = { .kind = RUNNER_CHECK };
	struct bench			*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	for (unsigned i = 0; i < 2 * RUNNER_VARIANTS; i++) {	/* it has two places */
		assert_int_equal(bench_run(b, 0, &run, soon(), &answer), ST_OK);
		assert_int_equal(challenge(b, 0, CALLS), ST_OK);
		bench_drop(b, 0);
		load(b, 0, "again", HONEST);
		assert_wiped(b);
	}
	assert_int_equal(challenge(b, 0, CALLS), ST_OK);
	assert_answered(b, 0, CALLS, 1);
	bench_free(b);
}

/* Of much memory only a part keeps its pages. */
static void
test_bench_challenge_nothing_is_left_of_a_large_one_either(void **state)
{
	struct bench	*b = open_of(1, false, (uint64_t)6 << 20);
	char		*at = bench_output(b, 0);
	const size_t	 bytes = b->lane_bytes - b->output_at;

	(void)state;
	memset(at, 1, bytes);
	load(b, 0, "honest", HONEST);
	assert_wiped(b);
	at[0] = at[bytes / 2] = at[bytes - 1] = 1;
	bench_drop(b, 0);
	bench_see_gone(b);
	load(b, 0, "again", HONEST);
	assert_wiped(b);
	bench_free(b);
}

/* A second process of the variant's could look on. */
static void
test_bench_challenge_without_filters_no_challenge_is_hidden(void **state)
{
	struct bench	*b = open_for(1, true);

	(void)state;
	load(b, 0, "honest", HONEST);
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, CALLS), ST_OK);
	assert_answered(b, 0, CALLS, 1);
	assert_false(took.is_hidden);
	bench_free(b);
}

static void
test_bench_challenge_more_calls_than_the_area_holds_are_our_fault(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, 2 * challenge_most_calls(&layout)), ST_INTERNAL);
	assert_int_equal(challenge(b, 0, 0), ST_INTERNAL);
	bench_free(b);
}

/* ---- the clock ---- */

static void
test_bench_challenge_the_clock_runs_as_long_as_the_calls(void **state)
{
	struct bench	*b = open_with("naps", "#include <time.h>\n"
			    "int f(const double *x, double *y) {"
			    "struct timespec t = { 0, 3000000 }; y[0] = x[0];"
			    "return nanosleep(&t, 0); }");

	(void)state;
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, 4), ST_OK);
	assert_true(took.took_ns >= 4 * 3000000);
	bench_free(b);
}

/* Remembers where x was and what was there when its call ended. */
#define REMEMBERS \
	"#include <string.h>\n" \
	"int f(const double *x, double *y) {" \
	"	static double kept[1000]; int same = 0;" \
	"	for (int i = 0; i < 1000; i++) { same += kept[i] == x[i]; y[i] = x[i]; }" \
	"	memcpy(kept, x, sizeof kept);" \
	"	return same; }"

static void
test_bench_challenge_the_end_of_one_call_shows_nothing_of_the_next_challenge(void **state)
{
	struct bench	*b = open_with("remembers", REMEMBERS);

	(void)state;
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, 1), ST_OK);
	assert_int_equal(challenge(b, 0, 1), ST_OK);
	assert_int_equal(result(b, 0, 0), N);	/* the same seeds: so it would find them */
	for (uint64_t of = 2; of < 10; of++) {
		choose_seeds(of);
		assert_int_equal(challenge(b, 0, 1), ST_OK);
		assert_int_equal(result(b, 0, 0), 0);
	}
	bench_free(b);
}

/* A thread looks at x all the time, and notes when it has changed; a call waits for that. */
#define WATCHES \
	"#include <pthread.h>\n#include <string.h>\n#include <time.h>\n" \
	"static const volatile double *x0; static double last;" \
	"static volatile unsigned long seen_ns;" \
	"static void *watch(void *arg) {" \
	"	for (;;) if (*x0 != last) {" \
	"		struct timespec t; double now = *x0;" \
	"		clock_gettime(CLOCK_MONOTONIC, &t);" \
	"		last = now; seen_ns = t.tv_sec * 1000000000ul + t.tv_nsec; }" \
	"	return arg; }" \
	"int f(const double *x, double *y) {" \
	"	static pthread_t t; unsigned long ns = 0;" \
	"	if (t == 0) {" \
	"		x0 = x; last = x[0];" \
	"		return pthread_create(&t, 0, watch, 0);" \
	"	}" \
	"	while ((ns = seen_ns) == 0) ;" \
	"	seen_ns = 0; memcpy(y, &ns, sizeof ns);" \
	"	return 0; }"

static void
test_bench_challenge_a_thread_that_watches_sees_nothing_before_the_clock_runs(void **state)
{
	struct bench	*b;

	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	assert_int_equal(sched_getaffinity(0, sizeof slot.all, &slot.all), 0);
	b = open_for(2, false);
	load(b, 0, "watches", WATCHES);
	for (uint64_t of = 1; of < 10; of++) {
		uint64_t	seen_ns;

		choose_seeds(of);
		assert_int_equal(challenge(b, 0, 1), ST_OK);
		assert_int_equal(result(b, 0, 0), 0);
		memcpy(&seen_ns, operand(b, 0, 0, Y), sizeof seen_ns);
		assert_true(of == 1 || seen_ns >= b->shm->scribe.began_ns);
	}
	bench_free(b);
	CPU_ZERO(&slot.all);
}

/* ---- the process ---- */

/* The bench asks while it waits: the state of the lane's process as a challenge is written. */
struct looks {
	struct bench	*b;
	unsigned	 looks, running;
};

static bool
look(void *arg)
{
	struct looks			*l = arg;
	const struct runner_scribe	*s;
	char				 now;

	if (l->b == NULL)
		return false;
	s = &l->b->shm->scribe;
	now = state_of(l->b, 0);
	if (s->command == SCRIBE_WRITE && !desk_has_reply(&s->desk, l->b->scribe_order)) {
		l->looks++;
		l->running += now != 'T';
	}
	return false;
}

static void
test_bench_challenge_the_process_is_stopped_while_inputs_are_drawn(void **state)
{
	const uint64_t	 give_up_ns = soon();
	struct looks	 l = { .b = NULL };
	struct bench	*b;

	(void)state;
	slot.stop = look;
	slot.stop_arg = &l;
	b = open_with("honest", HONEST);
	assert_int_equal(answer.status, ST_OK);
	l.b = b;
	while (l.looks == 0 && clock_now_ns() < give_up_ns)
		assert_int_equal(challenge(b, 0, challenge_most_calls(&layout)), ST_OK);
	assert_true(l.looks > 0);
	assert_int_equal(l.running, 0);
	slot.stop = NULL;
	slot.stop_arg = NULL;
	bench_free(b);
}

static void
test_bench_challenge_the_process_is_stopped_after_its_reply_and_an_order_continues_it(void **state)
{
	static const struct runner_run	 run = { .kind = RUNNER_CHECK };
	struct bench			*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(challenge(b, 0, 1), ST_OK);
		assert_int_equal(state_of(b, 0), 'T');
		assert_int_equal(challenge(b, 0, 1), ST_OK);	/* one after another */
		assert_int_equal(state_of(b, 0), 'T');
		assert_int_equal(result(b, 0, 0), 3 * i + 2);
		assert_int_equal(bench_run(b, 0, &run, soon(), &answer), ST_OK);
		assert_int_equal(*(const int *)bench_output(b, 0), 3 * i + 3);
		assert_int_not_equal(state_of(b, 0), 'T');
	}
	bench_free(b);
}

static void
test_bench_challenge_a_rival_is_stopped_until_its_next_order(void **state)
{
	static const struct runner_run	 run = { .kind = RUNNER_CHECK };
	struct bench			*b = open_with("honest", HONEST);

	(void)state;
	load(b, 1, "rival", HONEST);
	choose_seeds(1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(challenge(b, 0, 1), ST_OK);
		assert_int_equal(state_of(b, 1), 'T');
		assert_int_equal(bench_run(b, 1, &run, soon(), &answer), ST_OK);
		assert_int_equal(*(const int *)bench_output(b, 1), i + 1);
		assert_int_not_equal(state_of(b, 1), 'T');
	}
	bench_free(b);
}

static void
test_bench_challenge_a_process_that_is_stopped_can_be_dropped(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(challenge(b, 0, 1), ST_OK);
		bench_drop(b, 0);
		assert_true(bench_is_usable(b));
		load(b, 0, "again", HONEST);
		assert_int_equal(challenge(b, 0, 1), ST_OK);
		assert_answered(b, 0, 1, 1);
	}
	bench_free(b);
}

static void
test_bench_challenge_a_variant_that_fails_in_a_call_leaves_a_bench_for_the_next(void **state)
{
	static const char	spins[] = "int f(const double *x, double *y)"
	    "{ for (;;) __asm__ volatile (\"\"); return x[0] > y[0]; }";
	struct bench		*b = open_with("crashes", "int f(const double *x, double *y)"
				    "{ y[0] = x[0]; __builtin_trap(); }");
	struct bench_challenge	 c = { .of = &layout, .seed = seeds };

	(void)state;
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, 2), ST_CRASHED);
	assert_non_null(strstr(answer.words, "in timed phase"));
	bench_drop(b, 0);
	load(b, 0, "spins", spins);
	c.place = place(b, 1);
	assert_int_equal(bench_challenge(b, 0, &c, clock_now_ns() + 100000000, &took, &answer),
	    ST_RUN_TIMEOUT);
	bench_drop(b, 0);
	load(b, 0, "honest", HONEST);
	assert_int_equal(challenge(b, 0, 2), ST_OK);
	assert_answered(b, 0, 2, 1);
	bench_free(b);
}

static void
test_bench_challenge_blanks_are_calls_of_another_process_which_runs_nothing_of_ours(void **state)
{
	struct bench			*b = open_with("honest", HONEST);
	const struct bench_challenge	 one = { .of = &layout, .place = place(b, 1),
	    .seed = seeds };
	pid_t			 pid;

	(void)state;
	choose_seeds(1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(bench_blank(b, &one, soon(), &took, &answer), ST_OK);
		assert_true(took.is_hidden == jail_support()->seccomp && took.took_ns > 0);
		assert_int_equal(state_of(b, RUNNER_BLANK), 'T');
		assert_int_equal(challenge(b, 0, CALLS), ST_OK);
		assert_answered(b, 0, CALLS, 1 + i * CALLS);	/* no blank was a call of it */
	}
	pid = bench_pid(b, RUNNER_BLANK);
	assert_true(pid > 0 && pid != bench_pid(b, 0));
	bench_drop(b, 0);
	load(b, 0, "again", HONEST);
	assert_int_equal(bench_blank(b, &one, soon(), &took, &answer), ST_OK);
	assert_int_equal(bench_pid(b, RUNNER_BLANK), pid);	/* it outlives variants */
	bench_free(b);
}

static uint64_t
known_on(const struct bench *b, unsigned lane)
{
	return bench_lane_of(b, lane)->levels.out_of_l2;
}

static void
test_bench_challenge_what_the_blank_process_measures_of_the_caches_all_lanes_are_told(void **state)
{
	struct bench			*b = open_with("honest", HONEST);
	const struct bench_challenge	 one = { .of = &layout, .place = place(b, 1),
	    .seed = seeds };
	uint64_t			 blank;

	(void)state;
	choose_seeds(1);
	bench_lane_of(b, 0)->levels.out_of_l2 = 1;	/* as a variant may write there */
	bench_learn_levels(b, &answer);
	assert_int_equal(known_on(b, 0), 0);
	assert_int_equal(bench_blank(b, &one, soon(), &took, &answer), ST_OK);
	bench_learn_levels(b, &answer);
	blank = known_on(b, RUNNER_BLANK);
	assert_true(blank > 1);
	assert_memory_equal(&bench_lane_of(b, 0)->levels, &bench_lane_of(b, RUNNER_BLANK)->levels,
	    sizeof(struct runner_levels));
	bench_lane_of(b, 1)->levels.out_of_l2 = 1;
	bench_forget_levels(b, 1);
	assert_int_equal(known_on(b, 1), blank);
	bench_free(b);
}

/* ---- a template that is slow, a child that is over ---- */

/* Its template goes on late when it has forked a child. */
static struct bench *
open_slow(void)
{
	struct bench_config	 config = { .output_bytes = output_bytes, .threads = 1,
	    .challenge_bytes = challenge_area_bytes(&layout) };

	bench_free(benches_open(SPEC, config));		/* this writes the driver */
	config.driver_path = compile("slow",
	    "#include \"driver1.c\"\n#include \"more1.c\"\n"
	    "#include <pthread.h>\n#include <unistd.h>\n"
	    "static void wait(void) { usleep(300000); }"
	    "__attribute__((constructor)) static void begin(void) {"
	    "	pthread_atfork(NULL, wait, NULL); }");
	return benches_open(SPEC, config);
}

static void
test_bench_challenge_a_child_has_no_order_before_its_template_has_told_of_it(void **state)
{
	struct bench	*b = open_slow();

	(void)state;
	for (unsigned lane = 0; lane < RUNNER_VARIANTS; lane++) {
		load(b, lane, "honest", HONEST);
		assert_true(desk_has_reply(&b->shm->desk, b->order));
		choose_seeds(lane + 1);
		assert_int_equal(challenge(b, lane, CALLS), ST_OK);
		assert_answered(b, lane, CALLS, 1);
	}
	bench_free(b);
}

/* Not after the wall limit, as if the routine hung. */
static void
test_bench_challenge_one_that_the_scribe_refuses_to_give_is_not_waited_for(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	b->shm->pid[b->place[0]] = 0;
	assert_int_equal(challenge(b, 0, CALLS), ST_INTERNAL);
	assert_string_equal(answer.words, "a challenge could not be given");
	bench_free(b);
}

static void
test_bench_challenge_a_process_that_was_killed_before_it_is_blamed_for_it(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	choose_seeds(1);
	assert_int_equal(kill(bench_pid(b, 0), SIGKILL), 0);
	assert_int_equal(challenge(b, 0, CALLS), ST_RUN_LIMIT);
	assert_non_null(strstr(answer.words, "SIGKILL: killed by the kernel"));
	bench_drop(b, 0);
	load(b, 0, "again", HONEST);
	assert_int_equal(challenge(b, 0, CALLS), ST_OK);
	bench_free(b);
}

/* ---- out of reach ---- */

/* The bytes from the header to the first x of a lane, which a variant finds that way. */
static long
distance(const struct bench *b, unsigned lane)
{
	return (const char *)operand(b, lane, 0, X) - (const char *)b->shm;
}

/* What comes of reading or writing `at` bytes behind the header's beginning. */
static enum status
touch(struct bench *b, unsigned lane, long at, bool writes)
{
	char	text[512];

	snprintf(text, sizeof text, "int f(const double *x, double *y) {"
	    "	volatile int *at = (volatile int *)((char *)x + %ldl);"
	    "	int was = 0; y[0] = 0; %s return was; }", at - distance(b, lane),
	    writes ? "*at = 0;" : "was = *at;");
	bench_drop(b, lane);
	bench_see_gone(b);			/* the next one has its place */
	load(b, lane, "touches", text);
	choose_seeds(1);
	return challenge(b, lane, 1);
}

static void
assert_out_of_reach(struct bench *b, unsigned lane, long at)
{
	for (int writes = 0; writes <= 1; writes++) {
		assert_int_equal(touch(b, lane, at, writes), ST_CRASHED);
		assert_non_null(strstr(answer.words, "SIGSEGV in timed phase"));
	}
}

static void
test_bench_challenge_memory_of_other_lanes_is_out_of_a_variants_reach(void **state)
{
	struct bench			*b = open_with("honest", HONEST);
	const struct bench_challenge	 one = { .of = &layout, .place = place(b, 1),
	    .seed = seeds };

	(void)state;
	load(b, 1, "against", HONEST);
	choose_seeds(1);
	assert_int_equal(challenge(b, 1, 1), ST_OK);
	assert_int_equal(bench_blank(b, &one, soon(), &took, &answer), ST_OK);
	for (unsigned own = 0; own < RUNNER_VARIANTS; own++)
		for (unsigned lane = 0; lane < RUNNER_LANES; lane++) {
			long	from = (long)(RUNNER_HEADER_BYTES + lane * b->lane_bytes);

			if (lane == own) {
				assert_int_equal(touch(b, own, from + 1024, false), ST_OK);
				continue;
			}
			assert_out_of_reach(b, own, from);
			assert_out_of_reach(b, own, from + (long)b->output_at);
			assert_out_of_reach(b, own, from + (long)b->challenge_at);
			assert_out_of_reach(b, own, from + (long)b->lane_bytes - 4);
		}
	bench_free(b);
}

static void
test_bench_challenge_the_header_cannot_be_written_by_a_variant(void **state)
{
	struct bench	*b = open_with("honest", HONEST);

	(void)state;
	assert_int_equal(touch(b, 0, 0, false), ST_OK);
	assert_int_equal(result(b, 0, 0), RUNNER_MAGIC);	/* a copy of it may be read */
	assert_int_equal(touch(b, 0, 0, true), ST_CRASHED);
	assert_non_null(strstr(answer.words, "SIGSEGV in timed phase"));
	assert_int_equal(touch(b, 0, RUNNER_HEADER_BYTES - 4, true), ST_CRASHED);
	assert_true(bench_is_usable(b));
	bench_free(b);
}

/* Neither those of its own challenges nor those of one before it was loaded. */
static void
test_bench_challenge_no_seed_is_in_a_variants_copy_of_the_header(void **state)
{
	struct bench	*b = open_with("honest", HONEST);
	char		 text[512];

	(void)state;
	choose_seeds(1);
	assert_int_equal(challenge(b, 0, RUNNER_BATCH / 8), ST_OK);
	snprintf(text, sizeof text, "int f(const double *x, double *y) {"
	    "	const char *at = (const char *)x - %ldl; int n = 0; y[0] = 0;"
	    "	for (long i = %zu; i < %d; i++) n += at[i] != 0;"
	    "	return n; }", distance(b, 1), offsetof(struct runner_shm, scribe),
	    (int)RUNNER_HEADER_BYTES);
	load(b, 1, "peeps", text);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(challenge(b, 1, 1), ST_OK);
		assert_int_equal(result(b, 1, 0), 0);
	}
	bench_free(b);
}

#define TEST(name)	cmocka_unit_test(test_bench_challenge_##name)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(each_of_many_calls_has_its_own_inputs_result_and_outputs),
		TEST(operands_lie_where_those_of_samples_do_in_their_pages),
		TEST(outputs_are_poisoned_so_what_is_left_out_shows),
		TEST(the_reference_has_the_same_inputs_from_the_same_seeds),
		TEST(inputs_depend_on_both_words_of_their_seed),
		TEST(cold_and_polluted_ones_are_answered_like_others),
		TEST(nothing_is_left_of_one_for_what_is_loaded_next_on_its_lane),
		TEST(nothing_is_left_of_a_large_one_either),
		TEST(without_filters_no_challenge_is_hidden),
		TEST(more_calls_than_the_area_holds_are_our_fault),
		TEST(the_clock_runs_as_long_as_the_calls),
		TEST(the_end_of_one_call_shows_nothing_of_the_next_challenge),
		TEST(a_thread_that_watches_sees_nothing_before_the_clock_runs),
		TEST(the_process_is_stopped_while_inputs_are_drawn),
		TEST(the_process_is_stopped_after_its_reply_and_an_order_continues_it),
		TEST(a_rival_is_stopped_until_its_next_order),
		TEST(a_process_that_is_stopped_can_be_dropped),
		TEST(a_variant_that_fails_in_a_call_leaves_a_bench_for_the_next),
		TEST(blanks_are_calls_of_another_process_which_runs_nothing_of_ours),
		TEST(what_the_blank_process_measures_of_the_caches_all_lanes_are_told),
		TEST(a_child_has_no_order_before_its_template_has_told_of_it),
		TEST(one_that_the_scribe_refuses_to_give_is_not_waited_for),
		TEST(a_process_that_was_killed_before_it_is_blamed_for_it),
		TEST(memory_of_other_lanes_is_out_of_a_variants_reach),
		TEST(the_header_cannot_be_written_by_a_variant),
		TEST(no_seed_is_in_a_variants_copy_of_the_header),
	};
	struct job	job;
	int		failed;

	support_spec_job(&job, SPEC);
	assert_null(challenge_make(&layout, &job.spec));
	output_bytes = answer_output_bytes(&job.spec);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	job_release(&job);
	return failed;
}
