/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/fake_lane.h"

/* Rounds of routines in this program, done honestly or not, and opinions on recorded rounds. */
enum { ROOM = AUDIT_ROUNDS };
/* A call of 50 us, of four: what handing over may have saved is in it. */
#define HEAD_START	(AUDIT_HEAD_START_NS / 4.0)
#define OF_CALL		(50000 + HEAD_START)

static struct job		job;
static struct challenge		layout;
static struct fake_lane		fake;
static struct audit_lane	lane;
static struct audit		audit;
static struct audit_setting	with;
static struct audit_stock	stock;
static struct audit_blanks	blanks;
static struct bench_reply	reply;
static struct fault		why;

/* Rounds of four calls on a lane of the test's own; nothing is known from earlier jobs. */
static int
open_lane(void **state)
{
	(void)state;
	lane = fake_lane_open(&fake, &layout);
	with = (struct audit_setting){ .challenge = &layout, .call_ns = AUDIT_FIRM_NS / 2,
	    .cached_bytes = 4 * layout.bytes,
	    .output_bytes = answer_output_bytes(&job.spec), .room = ROOM, .stock = &stock,
	    .blanks = &blanks };
	blanks = (struct audit_blanks){ .of = { { { 0 } } } };
	return 0;
}

/* Rounds of one call, which alone can confirm a time. */
static int
open_single(void **state)
{
	(void)open_lane(state);
	with.call_ns = 50000;
	return 0;
}

static int
close_lane(void **state)
{
	(void)state;
	audit_release(&audit);
	audit_stock_release(&stock);
	fake_lane_close(&fake);
	return 0;
}

static void
begin(void)
{
	audit_release(&audit);
	assert_int_equal(audit_begin(&audit, &with, &why), ST_OK);
}

static void
rounds(unsigned n)
{
	while (n-- > 0)
		assert_int_equal(audit_round(&audit, &lane, &reply), ST_OK);
}

static enum audit_verdict
verdict(void *arg, const char *got, const char *want)
{
	struct answer	c = { .rtol = 1e-9, .atol = 1e-9 }, loose = { .rtol = 1e-6, .atol = 1e-6 };
	struct fault	ignored;

	(*(unsigned *)arg)++;
	answer_outputs(&c, &job.spec, got, want);
	answer_outputs(&loose, &job.spec, got, want);
	if (answer_verdict(&c, &ignored) == ST_OK)
		return AUDIT_RIGHT;
	return answer_verdict(&loose, &ignored) == ST_OK ? AUDIT_NEAR : AUDIT_WRONG;
}

/* With the reference on the lane; how many answers were compared. */
static unsigned
replay(void)
{
	unsigned	compared = 0;

	fake.routine = fake_honest;
	assert_int_equal(audit_replay(&audit, &lane, verdict, &compared, &reply), ST_OK);
	return compared;
}

/* ---- rounds ---- */

static void
test_audit_a_round_is_one_call_or_as_many_short_ones_as_there_is_room_for(void **state)
{
	const uint32_t	most = challenge_most_calls(&layout);
	const uint64_t	set = layout.bytes;
	const struct { double call_ns; uint64_t cached_bytes; uint32_t calls; } cases[] = {
		{ AUDIT_FIRM_NS, 0, 1 }, { 500 * AUDIT_FIRM_NS, 0, 1 }, { HUGE_VAL, 0, 1 },
		{ AUDIT_FIRM_NS, 99 * set, 1 },
		{ AUDIT_REGION_NS / 25, 0, 25 }, { AUDIT_REGION_NS / 256, 0, 256 },
		{ 1, 0, most }, { 0, 0, most },	/* no more fit into the area */
		{ 1, 20 * set, 20 }, { 1, 2 * set, 2 }, { 1, set - 1, 1 },
		{ AUDIT_REGION_NS / 25, 20 * set, 20 }, { AUDIT_REGION_NS / 25, 99 * set, 25 },
	};

	(void)state;
	assert_in_range(most, 257, RUNNER_BATCH - 1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		with.call_ns = cases[i].call_ns;
		with.cached_bytes = cases[i].cached_bytes;
		begin();
		assert_int_equal(audit.calls, cases[i].calls);
		rounds(1);
		assert_int_equal(fake.last_calls, cases[i].calls);
	}
}

static void
test_audit_a_call_takes_what_its_round_took_beyond_handing_over(void **state)
{
	(void)state;
	fake.handoff_ns[0] = 1000;
	begin();
	rounds(2);
	assert_int_equal(audit.round[0].time.took_ns, 1000 + 4 * 50000);
	assert_true(audit.round[0].ns == OF_CALL && audit.round[1].ns == OF_CALL);
	assert_true(audit_least_ns(&audit) == OF_CALL && audit_median_ns(&audit) == OF_CALL);
}

static void
test_audit_the_first_challenge_brings_code_in_and_is_no_round(void **state)
{
	(void)state;
	begin();
	rounds(1);
	assert_int_equal(fake.challenges, 2);
	assert_int_equal(audit.rounds, 1);
	rounds(3);
	assert_int_equal(fake.challenges, 5);
	assert_int_equal(audit.rounds, 4);
}

static void
test_audit_no_two_calls_are_ever_given_the_same_seeds(void **state)
{
	(void)state;
	begin();
	rounds(ROOM);
	assert_int_equal(fake.seeds, (ROOM + 1) * 4);
	memcpy(fake.seed[fake.seeds], fake.blank_seed, fake.blanks * sizeof fake.seed[0]);
	fake.seeds += fake.blanks;
	for (unsigned i = 0; i < fake.seeds; i++)
		for (unsigned k = 0; k < i; k++)
			assert_true(fake.seed[i][0] != fake.seed[k][0] &&
			    fake.seed[i][1] != fake.seed[k][1]);
}

static void
test_audit_the_least_of_many_blanks_is_subtracted_from_all_rounds(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 64; i++)
		fake.handoff_ns[i] = 900 + i;
	fake.handoff_ns[5] = 700;
	fake.handoff_ns[AUDIT_BLANKS + 1] = 600;
	begin();
	assert_int_equal(audit_blank_ns(&audit), 0);
	rounds(1);
	assert_int_equal(fake.blanks, AUDIT_BLANKS + 1);
	assert_int_equal(audit_blank_ns(&audit), 700);
	assert_true(audit.round[0].ns == OF_CALL + (900 - 700) / 4.0);
	rounds(1);
	assert_int_equal(audit_blank_ns(&audit), 600);
	for (unsigned i = 0; i < 2; i++)
		assert_true(audit.round[i].ns == OF_CALL + (900 - 600) / 4.0);
	for (unsigned i = AUDIT_BLANKS + 2; i < AUDIT_MOST_BLANKS + 3; i++) {
		begin();			/* of a later variant: much is known already */
		rounds(1);
		assert_int_equal(fake.blanks, i < AUDIT_MOST_BLANKS ? i + 1 : AUDIT_MOST_BLANKS);
		assert_int_equal(audit_blank_ns(&audit), 600);
	}
}

static void
test_audit_caches_full_of_other_data_and_each_size_of_operands_have_their_blanks(void **state)
{
	struct challenge	large = layout;
	const struct { const struct challenge *of; bool pollutes; uint64_t handoff_ns, blank_ns;
	    unsigned blanks; } cases[] = {
		{ &layout, false, 700, 700, AUDIT_BLANKS + 1 },
		{ &layout, true, 900, 900, 2 * AUDIT_BLANKS + 2 },
		{ &large, false, 800, 800, 3 * AUDIT_BLANKS + 3 },
		{ &large, true, 950, 950, 4 * AUDIT_BLANKS + 4 },
		{ &layout, false, 650, 650, 4 * AUDIT_BLANKS + 5 },
		{ &layout, true, 999, 900, 4 * AUDIT_BLANKS + 6 },
	};

	(void)state;
	large.bytes *= 8;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		with.challenge = fake.of = cases[i].of;
		with.cached_bytes = 4 * with.challenge->bytes;
		with.pollutes = cases[i].pollutes;
		fake.handoff_ns[0] = cases[i].handoff_ns;
		begin();
		rounds(1);
		assert_int_equal(fake.blanks, cases[i].blanks);
		assert_int_equal(audit_blank_ns(&audit), cases[i].blank_ns);
	}
}

static void
test_audit_a_round_shorter_than_any_blank_took_no_time(void **state)
{
	(void)state;
	fake.handoff_ns[0] = 700;
	fake.handoff_ns[1] = 800;
	fake.call_ns = 0;
	begin();
	rounds(2);
	assert_int_equal(audit_blank_ns(&audit), 700);
	assert_true(audit.round[0].ns == 0);
	assert_int_equal(audit_opinion(&audit, &(struct audit_claim){ .median_ns = 1 }),
	    AUDIT_HOPELESS);
}

static void
test_audit_rounds_stop_where_there_is_no_room_and_where_the_variant_fails(void **state)
{
	(void)state;
	with.room = 2;
	begin();
	rounds(5);
	assert_int_equal(audit.rounds, 2);
	assert_int_equal(fake.challenges, 3);
	begin();
	fake.fail = ST_CRASHED;
	assert_int_equal(audit_round(&audit, &lane, &reply), ST_CRASHED);
	assert_int_equal(audit.rounds, 0);
	begin();
	fake.fail = ST_OK;
	fake.fail_blank = ST_INTERNAL;
	assert_int_equal(audit_round(&audit, &lane, &reply), ST_INTERNAL);
	assert_int_equal(audit.rounds, 0);
}

static void
test_audit_large_outputs_leave_room_for_few_rounds(void **state)
{
	(void)state;
	with.call_ns = AUDIT_REGION_NS;
	with.output_bytes = AUDIT_KEEP_BYTES / 4;
	begin();
	assert_int_equal(audit.room, 3);
	with.output_bytes = AUDIT_KEEP_BYTES;
	begin();
	assert_int_equal(audit.room, 1);
}

static void
test_audit_disturbed_rounds_are_counted_and_say_nothing_about_time(void **state)
{
	(void)state;
	fake.disturb_every = 4;
	fake.times[0] = 1;
	fake.times[1] = 3;
	fake.times[2] = 0.5;			/* of challenge 4 */
	fake.times[3] = 3;
	begin();
	rounds(4);				/* challenges 2 to 5 */
	assert_int_equal(audit.disturbed, 1);
	assert_int_equal(audit_good_rounds(&audit), 3);
	assert_true(audit_least_ns(&audit) == OF_CALL);
	assert_true(audit_median_ns(&audit) == OF_CALL + 100000);
}

static void
test_audit_one_round_in_which_the_process_ran_on_makes_it_visible(void **state)
{
	(void)state;
	fake.visible_every = 5;
	begin();
	rounds(3);
	assert_false(audit.visible);
	rounds(2);
	assert_true(audit.visible);
}

/* ---- answers ---- */

static void
test_audit_an_honest_routine_has_right_answers(void **state)
{
	(void)state;
	begin();
	rounds(8);
	assert_false(audit_is_answered(&audit));
	assert_int_equal(replay(), 8 * 4);
	assert_int_equal(audit.wrong + audit.near + audit.early, 0);
}

/* Remembers its first answers. */
static double
memo(const double *x, double *y, double *z)
{
	static double	kept_y[FAKE_N], kept_z[FAKE_N], sum;

	if (sum == 0) {
		sum = fake_honest(x, y, z);
		memcpy(kept_y, y, sizeof kept_y);
		memcpy(kept_z, z, sizeof kept_z);
	}
	memcpy(y, kept_y, sizeof kept_y);
	memcpy(z, kept_z, sizeof kept_z);
	return sum;
}

static double
nothing(const double *x, double *y, double *z)
{
	(void)x, (void)y, (void)z;
	return 0;
}

/* All but the result is right. */
static double
no_result(const double *x, double *y, double *z)
{
	return 0 * fake_honest(x, y, z);
}

static void
test_audit_work_left_out_and_remembered_answers_are_wrong_in_every_call(void **state)
{
	fake_routine	*const cheats[] = { fake_half, memo, nothing, no_result };

	(void)state;
	for (size_t i = 0; i < sizeof cheats / sizeof cheats[0]; i++) {
		fake.routine = cheats[i];
		begin();
		rounds(6);
		(void)replay();
		assert_int_equal(audit.wrong, 6 * 4);
		assert_int_equal(audit.near, 0);
	}
}

static double
rounds_otherwise(const double *x, double *y, double *z)
{
	return fake_honest(x, y, z) * (1 + 1e-8);
}

static void
test_audit_answers_beyond_the_tolerance_that_are_near_are_counted_apart(void **state)
{
	(void)state;
	fake.routine = rounds_otherwise;
	begin();
	rounds(3);
	(void)replay();
	assert_int_equal(audit.wrong, 0);
	assert_int_equal(audit.near, 3 * 4);
}

static void
test_audit_outputs_that_changed_after_the_reply_are_counted(void **state)
{
	(void)state;
	begin();
	rounds(2);
	fake.early = true;
	rounds(1);
	assert_int_equal(audit.early, 1);
}

static void
test_audit_the_reference_is_given_the_seeds_of_the_rounds(void **state)
{
	uint64_t	given[4 * 4][2];

	(void)state;
	begin();
	rounds(4);
	memcpy(given, fake.seed + 4, sizeof given);
	fake.seeds = 0;
	(void)replay();
	assert_int_equal(fake.seeds, 4 * 4);
	assert_memory_equal(fake.seed, given, sizeof given);
}

static void
test_audit_only_the_shortest_good_rounds_are_compared_if_no_more_are_asked(void **state)
{
	static const double	times[] = { 3, 1, 2, 1, 1, 4, 1.5, 5 };
	static const bool	is_asked[] = { 0, 0, 1, 1, 0, 0, 1, 0 };

	(void)state;
	memcpy(fake.times, times, sizeof times);
	fake.routine = fake_half;
	fake.disturb_every = 3;			/* challenges 3, 6, 9: the rounds 1, 4, 7 */
	begin();
	rounds(8);
	audit_ask_shortest(&audit, 3);
	for (unsigned i = 0; i < 8; i++)
		assert_true(audit.round[i].is_unasked != is_asked[i]);
	fake.challenges = 0;
	assert_int_equal(replay(), 3 * 4);
	assert_int_equal(fake.challenges, 3);
	assert_int_equal(audit.compared, 3 * 4);
	assert_int_equal(audit.wrong, 3 * 4);
}

static void
test_audit_rounds_that_are_not_asked_need_no_reference(void **state)
{
	(void)state;
	begin();
	rounds(4);
	audit_ask_shortest(&audit, 0);
	assert_true(audit_is_answered(&audit));
	assert_int_equal(replay(), 0);
}

static void
test_audit_a_reference_that_fails_ends_the_replay(void **state)
{
	unsigned	compared = 0;

	(void)state;
	begin();
	rounds(2);
	fake.fail = ST_CRASHED;
	assert_int_equal(audit_replay(&audit, &lane, verdict, &compared, &reply), ST_CRASHED);
	assert_int_equal(compared, 0);
}

/* ---- answers in advance ---- */

/* The reference, a call of which takes so long, is on the lane; then the next job's variant is. */
static void
stock_up(double call_ns, fake_routine *variant)
{
	fake.call_ns = call_ns;
	begin();
	assert_int_equal(audit_restock(&audit, &lane, &reply), ST_OK);
	begin();
	fake.routine = variant;
	fake.challenges = fake.seeds = 0;
}

static void
test_audit_caches_are_made_ready_for_rounds_and_not_for_answers(void **state)
{
	(void)state;
	with.flush = 1;
	with.pollutes = RUNNER_POLLUTE_INNER;
	fake.call_ns = 100;
	begin();
	assert_int_equal(audit_restock(&audit, &lane, &reply), ST_OK);
	assert_true(stock.n > 0);
	assert_int_equal(fake.placed, 0);
	stock.used = stock.n;
	rounds(2);
	assert_int_equal(fake.placed, 2);
	assert_int_equal(replay(), 2 * 4);
	assert_int_equal(fake.placed, 2);
}

static void
test_audit_answers_in_stock_make_the_reference_needless_and_are_used_once(void **state)
{
	(void)state;
	stock_up(100, fake_honest);
	assert_in_range(stock.n, 512, AUDIT_STOCK_MOST);
	assert_true(stock.n * with.output_bytes <= AUDIT_STOCK_BYTES);
	for (unsigned i = 0; i < stock.n / 16; i++) {
		fake.routine = i % 2 == 0 ? fake_honest : fake_half;
		fake.challenges = fake.seeds = 0;
		begin();
		rounds(4);
		assert_true(audit_is_answered(&audit));
		assert_memory_equal(fake.seed + 4, stock.seed + 16 * i, 16 * sizeof stock.seed[0]);
		assert_int_equal(replay(), 4 * 4);
		assert_int_equal(fake.challenges, 1 + 4);	/* the variant's own */
		assert_int_equal(audit.wrong, i % 2 == 0 ? 0 : 4 * 4);
	}
	stock.used = stock.n;
	begin();
	rounds(1);
	assert_false(audit_is_answered(&audit));
}

static void
test_audit_a_stock_that_ends_in_a_job_leaves_the_rest_to_the_reference(void **state)
{
	(void)state;
	stock_up(100, fake_half);
	stock.used = stock.n - 2 * 4;
	rounds(4);
	assert_false(audit_is_answered(&audit));
	assert_int_equal(replay(), 4 * 4);
	assert_int_equal(fake.challenges, 1 + 4 + 2);
	assert_memory_equal(fake.seed + 5 * 4, fake.seed + 3 * 4, 2 * 4 * sizeof fake.seed[0]);
	assert_int_equal(audit.wrong, 4 * 4);
}

static void
test_audit_a_round_takes_all_of_its_answers_from_the_stock_or_none(void **state)
{
	(void)state;
	stock_up(100, fake_honest);
	stock.used = stock.n - 3;
	rounds(1);
	assert_int_equal(stock.used, stock.n - 3);
	assert_false(audit_is_answered(&audit));
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < stock.n; k++)
			assert_memory_not_equal(fake.seed[4 + i], stock.seed[k], 16);
}

static void
test_audit_a_slow_reference_answers_little_in_advance(void **state)
{
	(void)state;
	/* rounds of 4 calls, one a job: a bit less than the part of its time that one may take, or more */
	stock_up(AUDIT_STOCK_NS / (4.0 * AUDIT_STOCK_JOBS) - 1000, fake_honest);
	assert_in_range(stock.n, 4 * AUDIT_STOCK_JOBS, 4 * (AUDIT_STOCK_JOBS + 1));
	stock_up(AUDIT_STOCK_NS / (4.0 * AUDIT_STOCK_JOBS) + 1000, fake_honest);
	assert_int_equal(stock.n, 4);
}

static void
test_audit_large_outputs_are_not_answered_in_advance(void **state)
{
	(void)state;
	with.output_bytes = AUDIT_STOCK_BYTES / 2;
	begin();
	assert_int_equal(audit_restock(&audit, &lane, &reply), ST_OK);
	assert_int_equal(stock.n, 0);
	assert_int_equal(fake.challenges, 0);
}

static void
test_audit_a_reference_that_fails_in_advance_leaves_no_stock(void **state)
{
	(void)state;
	begin();
	fake.fail = ST_CRASHED;
	assert_int_equal(audit_restock(&audit, &lane, &reply), ST_CRASHED);
	assert_int_equal(stock.n, 0);
}

/* ---- opinions ---- */

enum { GOOD, DISTURBED };

/* As if so many more rounds had taken this a call; what audits see at a pace of 100 ticks. */
static void
record(unsigned n, double ns, int how)
{
	while (n-- > 0)
		audit.round[audit.rounds++] = (struct audit_round){ .ns = ns, .time = {
		    .pace = 100, .is_hidden = true, .disturbed = how == DISTURBED } };
}

static struct audit_claim
claim(double ns)
{
	return (struct audit_claim){ .median_ns = ns };
}

static enum audit_opinion
opinion(struct audit_claim c)
{
	return audit_opinion(&audit, &c);
}

static void
test_audit_it_is_asked_after_three_rounds_and_each_time_twice_as_many(void **state)
{
	char	looks[AUDIT_ROUNDS + 1] = "";

	(void)state;
	begin();
	for (unsigned n = 0; n < AUDIT_ROUNDS; n++) {
		record(1, 50000, GOOD);
		looks[n] = audit_is_look(&audit) ? '!' : '.';
	}
	assert_string_equal(looks, "..!..!.....!...........!.......................!");
}

static void
test_audit_of_long_rounds_the_first_two_are_enough_to_ask(void **state)
{
	(void)state;
	begin();
	record(1, 1e7, GOOD);
	record(1, 1e7, GOOD);
	audit.round[1].time.took_ns = AUDIT_LONG_NS;
	assert_false(audit_is_look(&audit));
	audit.round[1].time.took_ns++;
	assert_true(audit_is_look(&audit));
}

static void
test_audit_an_eighth_of_the_rounds_near_the_claim_confirms_it(void **state)
{
	(void)state;
	begin();
	record(3, 50000, GOOD);
	record(28, 140000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_CONFIRMED);
	record(1, 90000, GOOD);			/* 3 of 32 */
	assert_int_equal(opinion(claim(50000)), AUDIT_OPEN);
	record(1, 52000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_CONFIRMED);
}

static void
test_audit_two_rounds_at_least_have_to_be_near(void **state)
{
	(void)state;
	begin();
	record(1, 50000, GOOD);
	record(5, 80000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_OPEN);
	record(1, 51000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_CONFIRMED);
}

static void
test_audit_disturbed_rounds_neither_confirm_nor_refute(void **state)
{
	(void)state;
	begin();
	record(20, 50000, DISTURBED);
	record(1, 50000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_OPEN);	/* one is too few */
	record(1, 50000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_CONFIRMED);
	begin();
	record(10, 50000, DISTURBED);
	record(6, 80000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_OPEN);
	begin();
	record(40, 500000, DISTURBED);
	record(6, 50000, GOOD);
	assert_int_equal(opinion(claim(50000)), AUDIT_CONFIRMED);
}

/* Rounds without noise: nothing is more in favour of a claim. */
static void
test_audit_a_claim_six_percent_too_short_is_never_confirmed(void **state)
{
	struct audit_claim	c;

	(void)state;
	begin();
	for (unsigned n = AUDIT_LOOK; n <= AUDIT_ROUNDS; n += AUDIT_LOOK) {
		record(AUDIT_LOOK, 50000, GOOD);
		c = claim(50000 / 1.04);
		c.least_ns = c.normalised_ns = 50000 / 1.04;
		assert_int_equal(opinion(c), AUDIT_CONFIRMED);
		c.least_ns = 50000 / 1.06;
		assert_int_equal(opinion(c), AUDIT_OPEN);
		c.least_ns = 0;			/* it does not rank */
		assert_int_equal(opinion(c), AUDIT_CONFIRMED);
		c.median_ns = 50000 / 1.06;
		assert_int_equal(opinion(c), AUDIT_OPEN);
		c.median_ns = 50000;
		c.normalised_ns = 50000 / 1.06;
		assert_int_equal(opinion(c), AUDIT_OPEN);
		c.normalised_ns = 0;		/* there is none */
		assert_int_equal(opinion(c), AUDIT_CONFIRMED);
	}
}

static void
test_audit_a_normalised_claim_is_compared_with_rounds_at_the_best_clock(void **state)
{
	struct audit_claim	c = claim(60000);

	(void)state;
	begin();
	record(12, 60000, GOOD);		/* at a pace of 100 ticks */
	c.normalised_ns = 50000;
	c.best_pace = 83;
	assert_int_equal(opinion(c), AUDIT_CONFIRMED);
	c.best_pace = 100;
	assert_int_equal(opinion(c), AUDIT_OPEN);
	c.best_pace = 120;			/* faster than the best is no slowness */
	assert_int_equal(opinion(c), AUDIT_OPEN);
	c.best_pace = 0;			/* not known */
	assert_int_equal(opinion(c), AUDIT_OPEN);
	c.normalised_ns = 60000;
	assert_int_equal(opinion(c), AUDIT_CONFIRMED);
}

static void
test_audit_a_claim_that_is_longer_than_its_audits_is_confirmed(void **state)
{
	(void)state;
	begin();
	record(6, 50000, GOOD);
	assert_int_equal(opinion(claim(500000)), AUDIT_CONFIRMED);
}

static void
test_audit_calls_too_short_for_the_clock_are_hopeless(void **state)
{
	(void)state;
	begin();
	record(6, AUDIT_FIRM_NS * 0.99, GOOD);
	assert_int_equal(opinion(claim(AUDIT_FIRM_NS)), AUDIT_HOPELESS);
	begin();
	record(6, AUDIT_FIRM_NS * 1.01, GOOD);
	assert_int_equal(opinion(claim(AUDIT_FIRM_NS)), AUDIT_CONFIRMED);
}

/* What slows the rival down must not win. */
static void
test_audit_a_time_that_is_compared_is_not_confirmed_if_it_is_too_long(void **state)
{
	struct audit_claim	c = claim(53000);

	(void)state;
	begin();
	record(6, 50000, GOOD);
	assert_int_equal(opinion(c), AUDIT_CONFIRMED);
	c.is_compared = true;
	assert_int_equal(opinion(c), AUDIT_OPEN);
	c.median_ns = 52000;
	assert_int_equal(opinion(c), AUDIT_CONFIRMED);
}

static void
test_audit_a_process_that_cannot_be_stopped_is_hopeless(void **state)
{
	(void)state;
	begin();
	record(6, 50000, GOOD);
	audit.visible = true;
	assert_int_equal(opinion(claim(50000)), AUDIT_HOPELESS);
	audit.visible = false;
	assert_int_equal(opinion(claim(50000)), AUDIT_CONFIRMED);
}

static void
test_audit_rounds_of_several_calls_confirm_nothing_but_may_contradict(void **state)
{
	(void)state;
	begin();
	record(AUDIT_ROUNDS, 50000, GOOD);
	assert_int_equal(audit.calls, 4);
	assert_int_equal(opinion(claim(50000)), AUDIT_HOPELESS);
	assert_int_equal(opinion(claim(500000)), AUDIT_HOPELESS);
	assert_int_equal(opinion(claim(50000 / 33.0)), AUDIT_OPEN);
}

static void
test_audit_more_rounds_are_not_wasted_on_a_claim_of_less_than_half(void **state)
{
	(void)state;
	begin();
	record(6, 50000, GOOD);
	assert_int_equal(opinion(claim(26000)), AUDIT_OPEN);
	assert_int_equal(opinion(claim(24000)), AUDIT_HOPELESS);
	assert_int_equal(opinion(claim(50000 / 31.0)), AUDIT_HOPELESS);
	assert_int_equal(opinion(claim(50000 / 33.0)), AUDIT_OPEN);	/* but on a contradiction */
}

static bool
is_contradicted(struct audit_claim c)
{
	char	words[256] = "";

	if (audit_contradiction(&audit, &c, words, sizeof words) == NULL)
		return false;
	assert_non_null(strstr(words, "by the supervisor's clock no call on fresh operands"));
	return true;
}

static void
test_audit_only_what_no_learning_explains_contradicts_after_half_of_the_rounds(void **state)
{
	(void)state;
	begin();
	record(AUDIT_ROUNDS / 2 - 1, 50000, GOOD);
	record(AUDIT_ROUNDS / 2, 50000, DISTURBED);
	assert_false(is_contradicted(claim(1)));
	record(1, 50000, GOOD);
	assert_true(is_contradicted(claim(1)));
	assert_true(is_contradicted(claim(50000 / 32.1)));
	assert_false(is_contradicted(claim(50000 / 31.9)));
	audit.round[3].ns = 50000 / 2;		/* the least of all rounds counts */
	assert_false(is_contradicted(claim(50000 / 32.1)));
	assert_true(is_contradicted(claim(50000 / 2 / 32.1)));
}

static void
test_audit_what_fresh_inputs_cost_the_reference_is_no_contradiction(void **state)
{
	struct audit_claim	c = claim(50000 / 60.0);

	(void)state;
	begin();
	record(AUDIT_ROUNDS, 50000, GOOD);
	c.fresh_times = 0.5;			/* less than nothing cannot be learnt */
	assert_true(is_contradicted(c));
	c.fresh_times = 1.5;
	assert_true(is_contradicted(c));
	c.fresh_times = 2;
	assert_false(is_contradicted(c));
}

static void
test_audit_a_process_that_could_see_inputs_and_short_rounds_contradict_nothing(void **state)
{
	(void)state;
	begin();
	record(AUDIT_ROUNDS, 50000, GOOD);
	assert_true(is_contradicted(claim(1)));
	audit.visible = true;
	assert_false(is_contradicted(claim(1)));
	audit.visible = false;
	begin();
	record(AUDIT_ROUNDS, AUDIT_FIRM_NS * 0.99, GOOD);
	assert_false(is_contradicted(claim(0.01)));
}

/* What is subtracted of a sample may be all of it. */
static void
test_audit_a_claim_of_nothing_for_a_few_steps_of_the_clock_is_no_contradiction(void **state)
{
	(void)state;
	begin();
	audit.calls = 1024;
	record(AUDIT_ROUNDS, 49, GOOD);
	assert_false(is_contradicted(claim(0)));
	begin();
	audit.calls = 1024;
	record(AUDIT_ROUNDS, 51, GOOD);
	assert_true(is_contradicted(claim(0)));
}

static void
test_audit_a_claim_beyond_any_machine_needs_no_audit(void **state)
{
	static const struct { double flops, bytes; unsigned threads; bool is_doubted; } cases[] = {
		{ 20 * 16384 + 1, 0, 1, true }, { 20 * 16384 - 1, 0, 1, false },
		{ 0, 20 * 4096 + 1, 1, true }, { 0, 20 * 4096 - 1, 1, false },
		{ 20 * 16384 + 1, 0, 0, true },		/* threads 0 is 1 */
		{ 20 * 16384 + 1, 0, 2, false }, { 40 * 16384 + 1, 0, 2, true },
		{ 0, 0, 1, false },
	};
	char	words[256];

	(void)state;
	begin();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct audit_claim	c = claim(20);
		const char		*said;

		c.flops = cases[i].flops;
		c.bytes = cases[i].bytes;
		c.threads = cases[i].threads;
		said = audit_contradiction(&audit, &c, words, sizeof words);
		assert_true((said != NULL) == cases[i].is_doubted);
		assert_true(said == NULL || strstr(said, "faster than any machine") != NULL);
	}
	assert_non_null(audit_contradiction(&audit, &(struct audit_claim){ .flops = 1000 }, words,
	    sizeof words));			/* in no time at all */
}

static void
test_audit_more_iterations_than_a_core_can_retire_contradict_a_time(void **state)
{
	struct audit_claim	c = claim(20);
	char			words[256];

	(void)state;
	begin();
	c.iterations = 20 * 32768;
	assert_null(audit_contradiction(&audit, &c, words, sizeof words));
	c.iterations += 1;
	assert_non_null(strstr(audit_contradiction(&audit, &c, words, sizeof words),
	    "20 ns for 655361 iterations"));
	c.threads = 2;
	assert_null(audit_contradiction(&audit, &c, words, sizeof words));
}

#define TEST(name)	cmocka_unit_test_setup_teardown(test_audit_##name, open_lane, close_lane)
#define SINGLE(name)	cmocka_unit_test_setup_teardown(test_audit_##name, open_single, close_lane)

static const struct CMUnitTest	tests[] = {
	TEST(more_iterations_than_a_core_can_retire_contradict_a_time),
	TEST(a_round_is_one_call_or_as_many_short_ones_as_there_is_room_for),
	TEST(a_call_takes_what_its_round_took_beyond_handing_over),
	TEST(the_first_challenge_brings_code_in_and_is_no_round),
	TEST(no_two_calls_are_ever_given_the_same_seeds),
	TEST(the_least_of_many_blanks_is_subtracted_from_all_rounds),
	TEST(caches_full_of_other_data_and_each_size_of_operands_have_their_blanks),
	TEST(a_round_shorter_than_any_blank_took_no_time),
	TEST(rounds_stop_where_there_is_no_room_and_where_the_variant_fails),
	TEST(large_outputs_leave_room_for_few_rounds),
	TEST(disturbed_rounds_are_counted_and_say_nothing_about_time),
	TEST(one_round_in_which_the_process_ran_on_makes_it_visible),
	TEST(an_honest_routine_has_right_answers),
	TEST(work_left_out_and_remembered_answers_are_wrong_in_every_call),
	TEST(answers_beyond_the_tolerance_that_are_near_are_counted_apart),
	TEST(outputs_that_changed_after_the_reply_are_counted),
	TEST(the_reference_is_given_the_seeds_of_the_rounds),
	TEST(only_the_shortest_good_rounds_are_compared_if_no_more_are_asked),
	TEST(rounds_that_are_not_asked_need_no_reference),
	TEST(a_reference_that_fails_ends_the_replay),
	TEST(caches_are_made_ready_for_rounds_and_not_for_answers),
	TEST(answers_in_stock_make_the_reference_needless_and_are_used_once),
	TEST(a_stock_that_ends_in_a_job_leaves_the_rest_to_the_reference),
	TEST(a_round_takes_all_of_its_answers_from_the_stock_or_none),
	TEST(a_slow_reference_answers_little_in_advance),
	TEST(large_outputs_are_not_answered_in_advance),
	TEST(a_reference_that_fails_in_advance_leaves_no_stock),
	SINGLE(it_is_asked_after_three_rounds_and_each_time_twice_as_many),
	SINGLE(of_long_rounds_the_first_two_are_enough_to_ask),
	SINGLE(an_eighth_of_the_rounds_near_the_claim_confirms_it),
	SINGLE(two_rounds_at_least_have_to_be_near),
	SINGLE(disturbed_rounds_neither_confirm_nor_refute),
	SINGLE(a_claim_six_percent_too_short_is_never_confirmed),
	SINGLE(a_normalised_claim_is_compared_with_rounds_at_the_best_clock),
	SINGLE(a_claim_that_is_longer_than_its_audits_is_confirmed),
	SINGLE(a_time_that_is_compared_is_not_confirmed_if_it_is_too_long),
	SINGLE(a_process_that_cannot_be_stopped_is_hopeless),
	SINGLE(calls_too_short_for_the_clock_are_hopeless),
	TEST(rounds_of_several_calls_confirm_nothing_but_may_contradict),
	SINGLE(more_rounds_are_not_wasted_on_a_claim_of_less_than_half),
	SINGLE(only_what_no_learning_explains_contradicts_after_half_of_the_rounds),
	SINGLE(what_fresh_inputs_cost_the_reference_is_no_contradiction),
	SINGLE(a_process_that_could_see_inputs_and_short_rounds_contradict_nothing),
	SINGLE(a_claim_of_nothing_for_a_few_steps_of_the_clock_is_no_contradiction),
	SINGLE(a_claim_beyond_any_machine_needs_no_audit),
};

int
main(void)
{
	int	failed;

	support_spec_job(&job, FAKE_SPEC);
	assert_null(challenge_make(&layout, &job.spec));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	job_release(&job);
	return failed;
}
