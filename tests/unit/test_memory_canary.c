/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory canary: its base, and what it makes of cold samples.  The runner is made of numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/chain.h"
#include "tests/support/driver.h"
#include "tests/support/fake_clock.h"
#include "tests/support/reading.h"
#include "worker/chain/doubling.h"
#include "worker/take/take.h"

enum { QUIET = 10000, LOUD = 16000, MS = 1000000, SAMPLE_NS = 200000, EVER = INT32_MAX };

static const struct slot	slot = { .cpu = 1, .l1_bytes = 48 << 10, .l2_bytes = 1 << 20,
				    .l3_bytes = 32 << 20, .line_bytes = 64 };
static const struct tick	tick = { .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };
static struct gate		gate;

/* At rest and beside the streamer, the canary and a cold kernel; the clock has a tick a nanosecond. */
static const struct calibrated	heard = { .memory_quiet_ns = QUIET, .memory_loud_ns = 2 * QUIET,
				    .cold_quiet_ns = 5000, .cold_loud_ns = 11000 };

static int
forget_gate(void **state)
{
	(void)state;
	gate = (struct gate){ .resolution_ticks = 26 };
	return 0;
}

/* The same on a host that is calibrated. */
static int
know_quiet(void **state)
{
	(void)forget_gate(state);
	memory_gate_calibrate(&gate.memory, &heard, 1e9);
	return 0;
}

/* ---- the base ---- */

static void
see(unsigned times, uint32_t ticks)
{
	for (unsigned i = 0; i < times; i++)
		memory_gate_see(&gate.memory, gate.resolution_ticks, ticks);
}

/* Readings of one level, as they are: up to a fifth above it. */
static void
see_around(unsigned times, uint32_t level)
{
	for (unsigned i = 0; i < times; i++)
		memory_gate_see(&gate.memory, gate.resolution_ticks,
		    level + level * (i * 7 % 21) / 100);
}

static void
test_memory_canary_without_a_calibration_its_base_is_what_one_reading_in_ten_stays_below(void **state)
{
	(void)state;
	assert_true(memory_gate_is_coarse(&gate.memory));
	assert_true(memory_gate_ratio(&gate.memory, QUIET) == 0);
	see(5, QUIET - 5000);
	see(45, QUIET);
	assert_false(memory_gate_is_coarse(&gate.memory));
	assert_true(memory_gate_ratio(&gate.memory, QUIET) == 1);
	assert_false(memory_gate_is_calibrated(&gate.memory));
}

static struct memory_gate
gate_of(double quiet, double loud, double cold_quiet, double cold_loud)
{
	const struct calibrated	c = { .memory_quiet_ns = quiet, .memory_loud_ns = loud,
				    .cold_quiet_ns = cold_quiet, .cold_loud_ns = cold_loud };
	struct memory_gate	m = { .halvings = 0 };

	memory_gate_calibrate(&m, &c, 2.6e9);
	return m;
}

/* Readings of a 32 MiB victim cache with one streamer: 2.45 and 4.41 µs, 5.66 and 11.12 µs cold. */
static void
test_memory_canary_a_calibration_says_what_is_loud_and_what_that_costs(void **state)
{
	const struct memory_gate	m = gate_of(2450, 4410, 5660, 11120);
	const uint32_t			quiet = 2450 * 26 / 10;

	(void)state;
	assert_true(memory_gate_is_calibrated(&m));
	assert_float_equal(memory_gate_ratio(&m, quiet), 1, 1e-3);
	assert_true(memory_gate_is_quiet(&m, quiet));
	assert_true(memory_gate_is_quiet(&m, (uint32_t)(1.3 * quiet)));
	assert_false(memory_gate_is_quiet(&m, (uint32_t)(1.35 * quiet)));
	assert_false(memory_gate_is_quiet(&m, 0));
	assert_float_equal(memory_gate_longer(&m, 1.8), 11120.0 / 5660 - 1, 0.01);
	assert_float_equal(memory_gate_longer(&m, 1.4), (11120.0 / 5660 - 1) / 2, 0.01);
	assert_true(memory_gate_longer(&m, 1.1) == 0);		/* that much is drift */
}

/* On some hosts a CPU has the memory for itself, or the calibration came beside a neighbour. */
static void
test_memory_canary_a_streamer_that_was_hardly_heard_leaves_a_wide_limit_and_even_odds(void **state)
{
	const struct memory_gate	deaf = gate_of(2450, 2500, 5660, 9999);
	const struct memory_gate	none = gate_of(0, 0, 0, 0);

	(void)state;
	assert_true(memory_gate_is_calibrated(&deaf));
	assert_true(deaf.limit == MEMORY_GATE_MOST);
	assert_float_equal(memory_gate_longer(&deaf, 1.5), 0.5, 1e-9);
	assert_false(memory_gate_is_calibrated(&none));
	assert_true(gate_of(1000, 1300, 10, 12).limit == MEMORY_GATE_LEAST);
	assert_true(gate_of(1000, 9000, 10, 12).limit == MEMORY_GATE_MOST);
}

static void
test_memory_canary_a_lasting_neighbour_does_not_become_quiet_by_habit(void **state)
{
	(void)state;
	memory_gate_calibrate(&gate.memory, &heard, 1e9);
	see(MEMORY_GATE_READINGS, LOUD);
	assert_true(memory_gate_ratio(&gate.memory, LOUD) == 1.6);
	assert_false(memory_gate_is_quiet(&gate.memory, LOUD));
}

static void
test_memory_canary_a_drift_is_followed_up_and_down(void **state)
{
	static const int	levels[] = { 10000, 10500, 11000, 12000, 11000, 9000 };

	(void)state;
	for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++) {
		see_around(MEMORY_GATE_READINGS, (uint32_t)levels[i]);
		assert_in_range(1000 * memory_gate_ratio(&gate.memory, (uint32_t)levels[i]),
		    960, 1000);
	}
}

static void
test_memory_canary_a_burst_of_loud_readings_does_not_lift_its_base(void **state)
{
	(void)state;
	see_around(MEMORY_GATE_READINGS, QUIET);
	see(MEMORY_GATE_READINGS / 2, 3 * QUIET);
	assert_in_range(1000 * memory_gate_ratio(&gate.memory, QUIET), 940, 1000);
}

static void
test_memory_canary_readings_forged_too_low_are_forgotten(void **state)
{
	(void)state;
	see(MEMORY_GATE_READINGS, QUIET);
	see(20, 2000);
	/* a few do nothing at all */
	assert_true(memory_gate_ratio(&gate.memory, QUIET) == 1);
	see(MEMORY_GATE_READINGS, 2000);
	assert_true(memory_gate_ratio(&gate.memory, QUIET) == 5);
	see(MEMORY_GATE_READINGS - 20, QUIET);
	assert_true(memory_gate_ratio(&gate.memory, QUIET) == 1);
	see(MEMORY_GATE_READINGS, 1);			/* no clock is as fine as that */
	assert_true(memory_gate_ratio(&gate.memory, QUIET) == 1);
}

static void
test_memory_canary_less_is_waited_for_it_after_each_job_in_vain(void **state)
{
	(void)state;
	assert_int_equal(memory_gate_patience(&gate.memory, 128 * MS), 64 * MS);
	for (unsigned job = 0; job < 20; job++)
		memory_gate_end(&gate.memory, false);
	assert_int_equal(memory_gate_patience(&gate.memory, 256 * MS), MS / 2);
	for (unsigned job = 0; job < 20; job++)
		memory_gate_end(&gate.memory, true);
	assert_int_equal(memory_gate_patience(&gate.memory, 128 * MS), 64 * MS);
}

/* ---- samples ---- */

struct fake {
	struct fake_clock clock;
	int32_t		 loud_from, loud_to;	/* by its time memory is slow, and so is the routine */
	unsigned	 loud_every;		/* every n-th reading is, by chance; 0: none */
	bool		 core_too;		/* the other canary is slow as well then */
	bool		 core_always;		/* the other canary is slow at any time */
	bool		 mute;			/* it has no instruction that flushes a line */
	unsigned	 samples, read;		/* taken; with a reading */
};

static bool
is_loud(const struct fake *f)
{
	if (f->loud_every != 0)
		return f->samples % f->loud_every == 0;
	return f->clock.now_ns >= (uint64_t)f->loud_from && f->clock.now_ns < (uint64_t)f->loud_to;
}

static enum status
fake_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct fake	*f = arg;
	uint64_t	 began = f->clock.now_ns;

	a->samples = run->samples;
	for (uint32_t i = 0; i < run->samples; i++) {
		struct runner_sample	*s = &a->sample[i];
		bool			 loud = is_loud(f);

		*s = (struct runner_sample){ .ticks = run->kind == RUNNER_EMPTY ? 30 : 30000 };
		if (run->kind == RUNNER_SAMPLE && (loud))
			s->ticks += 3000;
		s->canary_before = s->canary_after =
		    f->core_always || (loud && f->core_too) ? 12000 : 8000;
		if (run->memory_canary && !f->mute)
			s->memory_canary = loud ? LOUD : QUIET;
		f->read += run->memory_canary;
		f->samples++;
		f->clock.now_ns += SAMPLE_NS;
	}
	a->took_ns = f->clock.now_ns - began;
	return a->status = ST_OK;
}

#define SPEC(context, timing)	"{'routine': 'void f(int n, double *y)', 'args': {'n': 9, 'y': {'dims': [9], " \
				"'access': 'out'}}, 'context': " context ", 'timing': {" timing "}}"
#define X86			"'flush': {'method': 'OneCallFlushX86'}"

static void
take_for(struct take *k, struct fake *f, const char *spec)
{
	static struct bench_reply	answer;
	static struct chain		chain;
	const struct take_clock		clock = fake_take_clock(&f->clock);
	struct take_setting		with;
	struct plan			plan;
	struct job			job;
	struct fault			why;

	k->sample = NULL;
	support_spec_job(&job, spec);
	assert_int_equal(plan_make(&plan, &job.spec, &slot, true, &why), ST_OK);
	f->clock.now_ns = 1000;
	chain_build(&chain, &job, chain_end(fake_run, f), chain_end(NULL, NULL));
	with = chain_setting(&chain, &job, &plan, &clock, &tick, &gate);
	with.deadline_ns = 10000 * (uint64_t)MS;
	assert_int_equal(take_samples(k, &plan, &with, &answer), ST_OK);
	job_release(&job);
}

static void
test_memory_canary_cold_samples_beside_busy_memory_are_taken_again(void **state)
{
	struct fake	f = { .loud_from = 5 * MS, .loud_to = 40 * MS };
	struct take	k;

	(void)state;
	take_for(&k, &f, SPEC("'cold'", X86));
	assert_null(k.memory_off);
	assert_null(k.canary_off);
	assert_int_equal(k.samples, 31);
	assert_true(k.memory_loud > 20 && k.loud == 0);
	assert_int_equal(k.rejected, k.memory_loud);
	assert_int_equal(k.kept_unfit, 0);
	assert_true(k.waited_ns > 30 * MS && k.waited_ns < 40 * MS);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].raw.ticks == 30000 && k.sample[i].memory_ratio == 1 &&
		    !k.sample[i].memory_loud);
	take_release(&k);
}

static void
test_memory_canary_a_third_in_quiet_is_kept_alone_when_patience_ends(void **state)
{
	struct fake	f = { .loud_from = 8 * MS, .loud_to = EVER };
	struct take	k;

	(void)state;
	take_for(&k, &f, SPEC("'cold'", X86 ", 'budget_ms': 20"));
	assert_null(k.memory_off);
	assert_in_range(k.samples, 11, 30);
	for (size_t i = 0; i < k.samples; i++)
		assert_int_equal(k.sample[i].raw.ticks, 30000);
	take_release(&k);
}

static void
test_memory_canary_it_goes_off_by_itself_and_says_so_where_memory_is_never_quiet(void **state)
{
	static const uint64_t	patience[] = { 32 * MS, 16 * MS, 8 * MS };

	(void)state;
	for (unsigned job = 0; job < 3; job++) {
		struct fake	f = { .loud_from = 0, .loud_to = EVER };
		struct take	k;

		gate.patience.filled_ns = 0;	/* a day later: the purse is full */
		take_for(&k, &f, SPEC("'cold'", X86 ", 'budget_ms': 64"));
		assert_string_equal(k.memory_off,
		    "off: too few samples were taken while memory was quiet");
		assert_null(k.canary_off);
		assert_false(take_is_noisy(&k));
		assert_int_equal(k.samples, 31);
		assert_int_equal(k.rejected, 0);
		assert_true(k.memory_loud >= 31);
		assert_true(k.sample[0].memory_ratio == 1.6 && !k.sample[0].memory_loud);
		assert_in_range(k.waited_ns, patience[job], patience[job] + 10 * MS);
		take_release(&k);
	}
	assert_int_equal(gate.patience.halvings, 0);	/* for the core nothing waited in vain */
}

static void
test_memory_canary_on_a_host_that_is_not_calibrated_it_judges_nothing_and_says_so(void **state)
{
	struct fake	f = { .loud_every = 2 };
	struct take	k;

	(void)state;
	forget_gate(NULL);
	take_for(&k, &f, SPEC("'cold'", X86));
	assert_string_equal(k.memory_off,
	    "off: no calibration of this host has shown how memory at rest sounds");
	assert_int_equal(k.samples, 31);
	assert_int_equal(k.memory_loud, 0);
	assert_true(k.sample[0].memory_ratio > 0);
	take_release(&k);
}

static void
test_memory_canary_quiet_that_is_insisted_on_is_the_memorys_too(void **state)
{
	struct fake	f = { .loud_from = 0, .loud_to = EVER };
	struct take	k;

	(void)state;
	take_for(&k, &f, SPEC("'cold'", X86 ", 'gate': true, 'budget_ms': 20"));
	assert_null(k.memory_off);
	assert_true(k.memory_failed && k.gate_failed && take_is_noisy(&k));
	assert_int_equal(k.memory_ticks, LOUD);
	assert_in_range(k.waited_ns, 20 * MS, 30 * MS);		/* all of the budget, not half */
	take_release(&k);

	f = (struct fake){ .loud_from = 0, .loud_to = 10 * MS };	/* over in time */
	take_for(&k, &f, SPEC("'cold'", X86 ", 'gate': true, 'budget_ms': 40"));
	assert_false(k.memory_failed || k.gate_failed);
	assert_int_equal(k.memory_ticks, QUIET);
	take_release(&k);
}

/* Of a core without rest memory is not accused. */
static void
test_memory_canary_a_loud_core_is_not_taken_for_loud_memory(void **state)
{
	struct fake	f = { .loud_every = 10, .core_always = true };
	struct take	k;

	(void)state;
	for (unsigned i = 0; i < GATE_FIRST; i++)
		gate_see(&gate, 0, &READING(8000, 8000, 0, 0));
	take_for(&k, &f, SPEC("'cold'", X86 ", 'gate': true, 'budget_ms': 20"));
	assert_true(k.gate_failed);
	assert_false(k.memory_failed);
	take_release(&k);
	take_for(&k, &f, SPEC("'cold'", X86 ", 'budget_ms': 20"));
	assert_null(k.memory_off);
	assert_string_equal(k.canary_off, "off: too few samples were taken in quiet");
	take_release(&k);
}

static void
test_memory_canary_what_the_core_made_loud_is_waited_for_when_memory_was_given_up(void **state)
{
	struct fake	f = { .loud_from = 4 * MS, .loud_to = 60 * MS, .core_too = true };
	struct take	k;

	(void)state;
	gate.memory.halvings = PATIENCE_HALVINGS;
	for (unsigned i = 0; i < GATE_FIRST; i++)
		gate_see(&gate, 0, &READING(8000, 8000, 0, 0));
	take_for(&k, &f, SPEC("'cold'", X86));
	assert_null(k.canary_off);
	assert_int_equal(k.clean, 31);
	for (size_t i = 0; i < k.samples; i++)
		assert_false(k.sample[i].loud);
	take_release(&k);
}

static void
test_memory_canary_only_what_leaves_all_caches_asks_it(void **state)
{
	static const struct {
		const char	*spec, *off;
		bool		 read;
	} cases[] = {
		{ SPEC("'cold'", X86), NULL, true },
		{ SPEC("'cold'", "'flush': {'method': 'OneCallFlushLRU'}"), NULL, true },
		{ SPEC("'cold'", "'flush': {'method': 'MultiCallFlushLRU'}"), NULL, true },
		{ SPEC("'cold'", X86 ", 'gate': false"), "off: not asked for", true },
		{ SPEC("'warm'", ""), "off: not all caches are flushed", false },
		{ SPEC("{'flush_bytes': 65536}", ""), "off: not all caches are flushed", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fake	f = { .loud_every = 0 };
		struct take	k;

		know_quiet(NULL);
		take_for(&k, &f, cases[i].spec);
		if (cases[i].off != NULL)
			assert_string_equal(k.memory_off, cases[i].off);
		else
			assert_null(k.memory_off);
		assert_int_equal(f.read > 0, cases[i].read);
		assert_int_equal(k.sample[0].memory_ratio > 0, cases[i].read);
		assert_true(f.read < f.samples);	/* not beside empty calls, nor where
							 * operands are warm */
		take_release(&k);
	}
}

static void
test_memory_canary_without_a_reading_it_is_off(void **state)
{
	struct fake	f = { .mute = true };
	struct take	k;

	(void)state;
	take_for(&k, &f, SPEC("'cold'", "'flush': {'method': 'OneCallFlushLRU'}"));
	assert_null(k.canary_off);
	assert_string_equal(k.memory_off,
	    "off: the clock is too coarse for it, or nothing flushes a line");
	assert_int_equal(k.clean, 31);
	assert_true(k.sample[0].memory_ratio == 0);
	take_release(&k);
}

/* Of two regions the worse reading is that of their difference. */
static void
test_memory_canary_of_a_difference_it_is_the_worse_of_both(void **state)
{
	static struct bench_reply	answer;
	struct fake			f = { .loud_every = 2 };
	struct doubling			d = { .next = { fake_run, &f } };
	const struct link		doubled = doubling_link(&d);
	struct runner_run		run = { .kind = RUNNER_SAMPLE, .samples = 3, .calls = 1,
					    .memory_canary = 1 };

	(void)state;
	assert_int_equal(link_run(&doubled, &run, &answer), ST_OK);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(answer.sample[i].memory_canary, LOUD);
}

#define FRESH(test)	cmocka_unit_test_setup(test, forget_gate)
#define KNOWN(test)	cmocka_unit_test_setup(test, know_quiet)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		FRESH(test_memory_canary_without_a_calibration_its_base_is_what_one_reading_in_ten_stays_below),
		FRESH(test_memory_canary_a_calibration_says_what_is_loud_and_what_that_costs),
		FRESH(test_memory_canary_a_streamer_that_was_hardly_heard_leaves_a_wide_limit_and_even_odds),
		FRESH(test_memory_canary_a_lasting_neighbour_does_not_become_quiet_by_habit),
		FRESH(test_memory_canary_a_drift_is_followed_up_and_down),
		FRESH(test_memory_canary_a_burst_of_loud_readings_does_not_lift_its_base),
		FRESH(test_memory_canary_readings_forged_too_low_are_forgotten),
		FRESH(test_memory_canary_less_is_waited_for_it_after_each_job_in_vain),
		KNOWN(test_memory_canary_cold_samples_beside_busy_memory_are_taken_again),
		KNOWN(test_memory_canary_a_third_in_quiet_is_kept_alone_when_patience_ends),
		KNOWN(test_memory_canary_it_goes_off_by_itself_and_says_so_where_memory_is_never_quiet),
		KNOWN(test_memory_canary_on_a_host_that_is_not_calibrated_it_judges_nothing_and_says_so),
		KNOWN(test_memory_canary_quiet_that_is_insisted_on_is_the_memorys_too),
		KNOWN(test_memory_canary_a_loud_core_is_not_taken_for_loud_memory),
		KNOWN(test_memory_canary_what_the_core_made_loud_is_waited_for_when_memory_was_given_up),
		KNOWN(test_memory_canary_only_what_leaves_all_caches_asks_it),
		KNOWN(test_memory_canary_without_a_reading_it_is_off),
		KNOWN(test_memory_canary_of_a_difference_it_is_the_worse_of_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
