/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/check/answer.h"
#include "worker/trust/audit.h"

/*
 * Audits of routines that live in this program: y[i] = 2 * x[i] + y[i], done honestly or not, by a runner whose clock
 * says what it is told to.
 */
#define SPEC	"{'routine': 'double f(int n, const double *x, double *y, double *z)', " \
		"'params': {'N': 300}, 'args': {'n': 'N', " \
		"'x': {'dims': ['N'], 'align': 16, 'misalign': 64}, 'y': {'dims': ['N'], 'access': 'inout'}, " \
		"'z': {'dims': ['N'], 'access': 'out'}}, 'context': 'warm', " \
		"'check': {'reference': {'language': 'c', 'source': 'x'}}}"
enum { N = 300 };

typedef double routine_fn(double *x, double *y, double *z);

struct fake {
	char			*area;
	char			 result[64];
	const struct challenge	*c;
	routine_fn		*routine;
	uint64_t		 call_ns, handoff_ns, delay_ns, own_delay_ns;
	unsigned		 delay_every, challenges;
	unsigned		 late;		/* the first challenges in which the supervisor waits */
	enum status		 fail;
};

static struct job	job;
static struct challenge	layout;
static struct fake	fake;
static struct audit	audit;
static struct audit_stock stock;
static struct audit_lane	lane;
static struct bench_reply answer;
static struct fault	why;
static char		*first;

static double
honest(double *x, double *y, double *z)
{
	double	sum = 0;

	for (int i = 0; i < N; i++) {
		y[i] += 2 * x[i];
		z[i] = y[i];
		sum += z[i];
	}
	return sum;
}

static double
half(double *x, double *y, double *z)
{
	double	sum = honest(x, y, z);

	memset(z + N / 2, 0, N / 2 * sizeof *z);
	return sum;
}

/* Remembers what came out; recognises an input by three of its elements. */
static double
memo(double *x, double *y, double *z)
{
	static double	key[3], kept_y[N], kept_z[N], sum;
	const double	now[3] = { x[0], x[N / 2], x[N - 1] };

	if (memcmp(key, now, sizeof key) != 0) {
		sum = honest(x, y, z);
		memcpy(key, now, sizeof key);
		memcpy(kept_y, y, sizeof kept_y);
		memcpy(kept_z, z, sizeof kept_z);
	}
	memcpy(y, kept_y, sizeof kept_y);
	memcpy(z, kept_z, sizeof kept_z);
	return sum;
}

static double *
operand(size_t k)
{
	return (double *)(void *)(fake.area + layout.operand[k].at);
}

static enum status
fake_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct fake	*f = arg;
	double		 r;

	a->took_ns = f->handoff_ns;
	if (run->kind != RUNNER_CHALLENGE)
		return a->status = ST_OK;
	f->challenges++;
	a->took_ns += f->call_ns;
	if (f->delay_every != 0 && f->challenges % f->delay_every == 0)
		f->delay_ns += 1000;
	if (f->challenges <= f->late) {
		f->own_delay_ns += 3000000;
		a->took_ns += 3000000;
	}
	r = f->routine(operand(0), operand(1), operand(2));
	memcpy(f->result, &r, sizeof r);
	return a->status = f->fail;
}

static uint64_t
fake_delay(void *arg)
{
	return ((struct fake *)arg)->delay_ns;
}

static uint64_t
fake_own_delay(void *arg)
{
	return ((struct fake *)arg)->own_delay_ns;
}

static enum audit_verdict
verdict(void *arg, const char *got, const char *want)
{
	struct answer	c = { .rtol = 1e-9, .atol = 1e-9 };
	struct fault		 ignored;

	(void)arg;
	answer_outputs(&c, &job.spec, got, want);
	return answer_verdict(&c, &ignored) == ST_OK ? AUDIT_RIGHT : AUDIT_WRONG;
}

static char *
first_contents(void)
{
	char	*at = calloc(1, layout.bytes);

	assert_non_null(at);
	for (size_t k = 0; k < 3; k++)
		for (int i = 0; i < N; i++)
			((double *)(void *)(at + layout.operand[k].at))[i] = (double)(k + 1) / (i + 3);
	return at;
}

static void
begin(routine_fn *routine, unsigned room)
{
	fake = (struct fake){ .area = aligned_alloc(4096, layout.bytes), .routine = routine, .call_ns = 200000,
	    .handoff_ns = 600 };
	lane = (struct audit_lane){ .link = { fake_run, &fake }, .delay_ns = fake_delay,
	    .own_delay_ns = fake_own_delay, .arg = &fake, .area = fake.area,
	    .result = fake.result };
	first = first_contents();
	assert_int_equal(audit_begin(&audit, &layout, first, answer_output_bytes(&job.spec), room, &stock, &why),
	    ST_OK);
	audit.secret = 1;
}

static void
rounds(unsigned n)
{
	while (n-- > 0)
		assert_int_equal(audit_round(&audit, &lane, &answer), ST_OK);
}

static void
replay(void)
{
	fake.routine = honest;
	assert_int_equal(audit_replay(&audit, &lane, verdict, NULL, &answer), ST_OK);
}

static void
end(void)
{
	audit_release(&audit);
	audit_stock_release(&stock);
	free(fake.area);
	free(first);
}

static const char *
doubt(double claim_ns, double extra_ns)
{
	static char		words[256];
	struct audit_claim	c = { .ns = claim_ns, .extra_ns = extra_ns, .region_ns = claim_ns };

	return audit_doubt(&audit, &c, words, sizeof words);
}

static void
operands_of_a_challenge_lie_as_the_spec_aligns_them(void **state)
{
	(void)state;
	assert_true(layout.varies);
	assert_int_equal(layout.bytes % 4096, 0);
	assert_int_equal(layout.operand[0].at % 64, 16);
	assert_int_equal(layout.operand[1].at % 64, 0);
	for (size_t k = 1; k < 3; k++)
		assert_true(layout.operand[k].at >= layout.operand[k - 1].at + N * sizeof(double));
}

static void
two_challenges_differ_and_one_seed_makes_the_same_again(void **state)
{
	char	*a = aligned_alloc(4096, layout.bytes), *b = aligned_alloc(4096, layout.bytes);

	(void)state;
	first = first_contents();
	/* one that draws all elements, one that draws a few */
	for (uint64_t seed = CHALLENGE_KINDS; seed < CHALLENGE_KINDS + 2; seed++) {
		challenge_write(&layout, a, first, seed);
		challenge_finish(&layout, a, seed);
		challenge_write(&layout, b, first, seed);
		assert_memory_not_equal(a, b, layout.bytes);	/* the last elements are missing */
		challenge_finish(&layout, b, seed);
		assert_memory_equal(a, b, layout.bytes);
		challenge_write(&layout, b, first, seed + 2);
		challenge_finish(&layout, b, seed + 2);
		assert_memory_not_equal(a, b, layout.bytes);
	}
	free(a);
	free(b);
	free(first);
}

static void
an_honest_routine_agrees_with_its_audits(void **state)
{
	(void)state;
	begin(honest, 8);
	rounds(8);
	replay();
	assert_int_equal(audit.wrong, 0);
	assert_int_equal(audit.early, 0);
	assert_true(audit_least_ns(&audit) == 200000);
	assert_null(doubt(195000, 0));
	end();
}

static void
half_the_work_and_remembered_answers_are_wrong_in_most_rounds(void **state)
{
	enum { ROUNDS = 64 };	/* seeds are the kernel's: memo is right in one of four, and in a tenth of the others */
	routine_fn	*const cheats[] = { half, memo };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		begin(cheats[i], ROUNDS);
		for (int n = 0; n < ROUNDS; n++) {	/* among calls on operands that it knows */
			memcpy(fake.area, audit.first, layout.bytes);
			cheats[i](operand(0), operand(1), operand(2));
			rounds(1);
		}
		replay();
		assert_true(2 * audit.wrong > audit.rounds);
		end();
	}
}

static void
a_claim_far_below_the_supervisors_clock_is_doubted(void **state)
{
	(void)state;
	begin(honest, 4);
	rounds(4);
	assert_non_null(strstr(doubt(650, 0), "by the supervisor's clock no call"));
	assert_null(doubt(650, 150000));	/* the reference, too, is that much slower on operands from elsewhere */
	end();
}

/* The supervisor waited for a CPU in the first `late` of four rounds. */
static void
begin_late(unsigned late)
{
	begin(honest, 4);
	fake.late = late;
	rounds(4);
}

static void
rounds_in_which_the_supervisor_had_to_wait_say_nothing_about_time(void **state)
{
	(void)state;
	begin_late(4);
	assert_false(audit_can_judge(&audit));
	assert_null(doubt(650, 0));
	assert_int_equal(audit.disturbed, 4);
	end();
	begin_late(3);
	assert_true(audit_can_judge(&audit));
	assert_true(audit_least_ns(&audit) == 200000);
	assert_null(doubt(195000, 0));
	assert_non_null(doubt(650, 0));
	end();
}

static void
a_claim_beyond_any_machine_is_doubted_without_an_audit(void **state)
{
	struct audit_claim	c = { .ns = 20, .flops = 524288, .region_ns = 20 };
	char			words[256];

	(void)state;
	begin(honest, 4);
	assert_non_null(strstr(audit_doubt(&audit, &c, words, sizeof words), "faster than any machine"));
	c.threads = 64;
	assert_null(audit_doubt(&audit, &c, words, sizeof words));
	end();
}

static void
orders_that_take_much_longer_than_their_samples_claim_are_doubted(void **state)
{
	static const struct tick	tick = { .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };
	struct runner_run		run = { .kind = RUNNER_EMPTY, .calls = 10, .warm_calls = 1 };

	(void)state;
	begin(honest, 4);
	answer = (struct bench_reply){ .status = ST_OK, .samples = 2, .took_ns = 20000 };
	answer.sample[0].ticks = answer.sample[1].ticks = 40;
	assert_true(audit_see_order(&audit, &run, &answer, &tick, 0));
	run.kind = RUNNER_SAMPLE;
	answer.sample[0].ticks = answer.sample[1].ticks = 30000;
	answer.took_ns = 85000;
	assert_true(audit_see_order(&audit, &run, &answer, &tick, 0));
	assert_null(doubt(30000, 0));
	answer.sample[0].ticks = answer.sample[1].ticks = 90;		/* the same order, but it says it was quicker */
	audit.unclaimed_ns = -1;
	assert_true(audit_see_order(&audit, &run, &answer, &tick, 0));
	assert_non_null(strstr(doubt(90, 0), "samples claim"));
	audit.unclaimed_ns = -1;
	assert_true(audit_see_order(&audit, &run, &answer, &tick, 2 * AUDIT_LATE_NS));
	assert_non_null(doubt(90, 0));
	audit.unclaimed_ns = -1;				/* the supervisor waited, for longer than that */
	assert_true(audit_see_order(&audit, &run, &answer, &tick, 2 * AUDIT_LATE_NS + 1));
	assert_null(doubt(90, 0));
	run.flush = RUNNER_FLUSH_LRU;					/* nobody knows how long that takes */
	audit.unclaimed_ns = -1;
	assert_false(audit_see_order(&audit, &run, &answer, &tick, 0));
	assert_null(doubt(90, 0));
	end();
}

static double
does_nothing(double *x, double *y, double *z)
{
	(void)x, (void)y, (void)z;
	return 0;
}

static void
outputs_that_change_after_the_end_are_noticed(void **state)
{
	struct challenge_glance	g;

	(void)state;
	begin(does_nothing, 4);
	rounds(1);
	challenge_glance(&layout, fake.area, 7, &g);
	assert_true(g.n > 0);
	assert_true(challenge_glance_holds(&g, fake.area));
	honest(operand(0), operand(1), operand(2));
	assert_false(challenge_glance_holds(&g, fake.area));
	audit.early = 1;
	assert_non_null(strstr(doubt(200000, 0), "outputs changed after"));
	end();
}

static void
rounds_in_which_another_process_ran_are_counted(void **state)
{
	(void)state;
	begin(honest, 8);
	fake.delay_every = 4;
	rounds(8);
	assert_int_equal(audit.disturbed, 2);
	end();
}

static void
rounds_stop_where_there_is_no_room_and_where_the_variant_fails(void **state)
{
	(void)state;
	begin(honest, 2);
	rounds(5);
	assert_int_equal(audit.rounds, 2);
	end();
	begin(honest, 2);
	fake.fail = ST_CRASHED;
	assert_int_equal(audit_round(&audit, &lane, &answer), ST_CRASHED);
	assert_int_equal(audit.rounds, 0);
	end();
}

/* The reference has answered one job's challenges, and more for later. */
static void
stock_up(uint64_t call_ns)
{
	begin(honest, 8);
	fake.call_ns = call_ns;
	rounds(4);
	assert_false(audit_is_answered(&audit));
	replay();
	assert_int_equal(audit_restock(&audit, &lane, &answer), ST_OK);
}

/* The next job, with what is in stock. */
static void
begin_again(routine_fn *routine)
{
	audit_release(&audit);
	assert_int_equal(audit_begin(&audit, &layout, first, answer_output_bytes(&job.spec), 8, &stock, &why), ST_OK);
	audit.secret = 1;
	fake.routine = routine;
	fake.challenges = 0;
}

static void
answers_in_stock_make_the_reference_needless_and_are_used_once(void **state)
{
	unsigned	stocked;

	(void)state;
	stock_up(1000);
	stocked = stock.n;
	assert_int_equal(stocked, AUDIT_STOCK_MOST);
	for (unsigned i = 0; i < stocked; i++)
		for (unsigned k = 0; k < i; k++)
			assert_true(stock.seed[i] != stock.seed[k]);
	for (unsigned i = 0; i < stocked / 4; i++) {
		begin_again(i % 2 == 0 ? honest : half);
		rounds(4);
		assert_true(audit_is_answered(&audit));
		assert_int_equal(audit.round[0].seed, stock.seed[4 * i]);
		replay();
		assert_int_equal(fake.challenges, 4);	/* the variant's own */
		assert_int_equal(audit.wrong, i % 2 == 0 ? 0 : 4);
	}
	begin_again(honest);
	rounds(1);
	assert_false(audit_is_answered(&audit));
	end();
}

static void
a_stock_that_ends_in_a_job_leaves_the_rest_to_the_reference(void **state)
{
	(void)state;
	stock_up(1000);
	stock.used = stock.n - 2;
	begin_again(half);
	rounds(4);
	assert_false(audit_is_answered(&audit));
	replay();
	assert_int_equal(fake.challenges, 4 + 2);
	assert_int_equal(audit.wrong, 4);
	end();
}

static void
a_slow_reference_answers_little_in_advance_and_a_very_slow_one_nothing(void **state)
{
	(void)state;
	stock_up(AUDIT_STOCK_NS / 3);
	assert_in_range(stock.n, 1, 3);
	end();
	stock_up(2 * (uint64_t)AUDIT_STOCK_NS);
	assert_int_equal(stock.n, 0);
	end();
}

static void
nothing_of_the_stock_can_be_seen_by_the_next_variant(void **state)
{
	static const char	nothing[RT_MAX_RESULT];

	(void)state;
	stock_up(1000);
	assert_memory_equal(fake.area, first, layout.bytes);
	assert_memory_equal(fake.result, nothing, sizeof nothing);
	end();
}

static void
a_reference_that_fails_in_advance_is_told_and_leaves_no_stock(void **state)
{
	(void)state;
	begin(honest, 8);
	fake.fail = ST_CRASHED;
	assert_int_equal(audit_restock(&audit, &lane, &answer), ST_CRASHED);
	assert_int_equal(stock.n, 0);
	end();
}

static void
what_cannot_be_challenged_says_why(void **state)
{
	static const char *const	specs[][2] = {
		{ "{'routine': 'int f(const int *x)', 'args': {'x': {'dims': [5], 'init': 'index'}}}",
		    "no input is random" },
		{ "{'routine': 'int f(const int *x)', 'args': {'x': {'dims': [5], 'align': 8192}}}",
		    "aligned beyond a page" },
		{ "{'routine': 'int f(const double *x)', 'args': {'x': {'dims': [16000000]}}}", "too large" },
	};
	struct challenge	c;

	(void)state;
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		struct job	other;

		support_spec_job(&other, specs[i][0]);
		assert_non_null(strstr(challenge_make(&c, &other.spec), specs[i][1]));
		job_release(&other);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(operands_of_a_challenge_lie_as_the_spec_aligns_them),
		cmocka_unit_test(two_challenges_differ_and_one_seed_makes_the_same_again),
		cmocka_unit_test(an_honest_routine_agrees_with_its_audits),
		cmocka_unit_test(half_the_work_and_remembered_answers_are_wrong_in_most_rounds),
		cmocka_unit_test(a_claim_far_below_the_supervisors_clock_is_doubted),
		cmocka_unit_test(rounds_in_which_the_supervisor_had_to_wait_say_nothing_about_time),
		cmocka_unit_test(a_claim_beyond_any_machine_is_doubted_without_an_audit),
		cmocka_unit_test(orders_that_take_much_longer_than_their_samples_claim_are_doubted),
		cmocka_unit_test(outputs_that_change_after_the_end_are_noticed),
		cmocka_unit_test(rounds_in_which_another_process_ran_are_counted),
		cmocka_unit_test(rounds_stop_where_there_is_no_room_and_where_the_variant_fails),
		cmocka_unit_test(answers_in_stock_make_the_reference_needless_and_are_used_once),
		cmocka_unit_test(a_stock_that_ends_in_a_job_leaves_the_rest_to_the_reference),
		cmocka_unit_test(a_slow_reference_answers_little_in_advance_and_a_very_slow_one_nothing),
		cmocka_unit_test(nothing_of_the_stock_can_be_seen_by_the_next_variant),
		cmocka_unit_test(a_reference_that_fails_in_advance_is_told_and_leaves_no_stock),
		cmocka_unit_test(what_cannot_be_challenged_says_why),
	};
	int	failed;

	support_spec_job(&job, SPEC);
	assert_null(challenge_make(&layout, &job.spec));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	job_release(&job);
	return failed;
}
