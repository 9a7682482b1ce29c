/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_FAKE_LANE_H
#define ASSAY_TESTS_SUPPORT_FAKE_LANE_H

#include "tests/support/driver.h"
#include "worker/check/answer.h"
#include "worker/runner/sample/fill.h"
#include "worker/trust/audit.h"

/*
 * For tests of audits, included once, after cmocka: a lane that runs routines of the test's own in
 * this process, by a clock that shows what the test says.
 */
enum { FAKE_N = 300, FAKE_SEEDS = 1 << 16 };
#define FAKE_OPERANDS	"'args': {'n': 'N', 'x': {'dims': ['N'], 'align': 16, 'misalign': 64}, " \
		"'y': {'dims': ['N'], 'access': 'inout'}, " \
		"'z': {'dims': ['N'], 'access': 'out'}}, " \
		"'check': {'rtol': 1e-9, 'atol': 1e-9, " \
		"'reference': {'language': 'c', 'source': 'x'}}"
#define FAKE_ROUTINE	"'routine': 'double f(int n, const double *x, double *y, double *z)', " \
		"'params': {'N': 300}, "
#define FAKE_SPEC	"{" FAKE_ROUTINE FAKE_OPERANDS ", 'context': 'warm'}"

typedef double fake_routine(const double *x, double *y, double *z);

struct fake_lane {
	const struct challenge	*of;		/* borrowed */
	fake_routine		*routine;
	double			 call_ns;
	/* a call of the nth round takes so many times as long, again from the first; 0 ends them */
	double			 times[64];
	/* of the nth blank, the last one again and again; 0 ends them */
	uint64_t		 handoff_ns[64];
	unsigned		 disturb_every, visible_every;	/* 0: none */
	bool			 early;
	uint32_t		 pace;
	enum status		 fail, fail_blank;

	uint64_t		 left_ns;	/* until the wall limit */

	unsigned		 challenges, blanks;
	unsigned		 placed;	/* challenges whose operands were put somewhere */
	uint32_t		 last_calls;
	/* all that it was ever given; owned */
	uint64_t		(*seed)[2];
	unsigned		 seeds;
	uint64_t		 blank_seed[128][2];
	char			*sets, *results;	/* of the last challenge; owned */
};

static inline double
fake_honest(const double *x, double *y, double *z)
{
	double	sum = 0;

	for (int i = 0; i < FAKE_N; i++) {
		y[i] += 2 * x[i];
		z[i] = y[i];
		sum += z[i];
	}
	return sum;
}

/* Half of it is left out. */
static inline double
fake_half(const double *x, double *y, double *z)
{
	double	sum = fake_honest(x, y, z);

	memset(z + FAKE_N / 2, 0, FAKE_N / 2 * sizeof *z);
	return sum;
}

static inline struct runner_challenge
fake_place(const struct challenge *c, uint32_t calls)
{
	static const uint64_t	home[RUNNER_OPERANDS] = { 4096 + 16, 8192, 16384 };

	return challenge_lay(c, home, calls);
}

static inline double *
fake_operand(const struct fake_lane *f, uint32_t nth, unsigned k)
{
	const struct runner_challenge	p = fake_place(f->of, 1);

	return (double *)(void *)(f->sets + nth * p.set_bytes + p.at[k]);
}

static inline void
fake_draw(struct fake_lane *f, uint32_t nth, const uint64_t seed[2])
{
	assert_true(f->seeds < FAKE_SEEDS);
	memcpy(f->seed[f->seeds++], seed, sizeof f->seed[0]);
	for (unsigned k = 0; k < 2; k++)
		for (uint64_t i = 0; i < FAKE_N; i++)
			fake_operand(f, nth, k)[i] = 1 + (double)(rt_number(seed[0] ^
			    rt_number(seed[1], k), i) >> 11) * 0x1p-53;
	memset(fake_operand(f, nth, 2), 0xff, FAKE_N * sizeof(double));
}

static inline bool
fake_is_due(unsigned every, unsigned n)
{
	return every != 0 && n % every == 0;
}

/* The first challenge of all is no round. */
static inline double
fake_times(const struct fake_lane *f)
{
	unsigned	n = 0;

	while (n < 64 && f->times[n] != 0)
		n++;
	return n == 0 || f->challenges < 2 ? 1 : f->times[(f->challenges - 2) % n];
}

static inline uint64_t
fake_handoff(const struct fake_lane *f, unsigned nth)
{
	unsigned	last = 0;

	while (last < nth && last + 1 < 64 && f->handoff_ns[last + 1] != 0)
		last++;
	return f->handoff_ns[last];
}

static inline enum status
fake_challenge(void *arg, const struct audit_setting *with, uint32_t calls, uint64_t (*seed)[2],
    struct challenge_time *t, struct bench_reply *reply)
{
	struct fake_lane	*f = arg;
	double			 result;

	assert_ptr_equal(with->challenge, f->of);
	assert_true(calls <= challenge_most_calls(f->of));
	f->challenges++;
	f->placed += with->flush != 0 || with->pollutes;
	f->last_calls = calls;
	for (uint32_t i = 0; i < calls; i++)
		fake_draw(f, i, seed[i]);
	for (uint32_t i = 0; i < calls; i++) {
		result = f->routine(fake_operand(f, i, 0), fake_operand(f, i, 1),
		    fake_operand(f, i, 2));
		memcpy(f->results + i * RT_MAX_RESULT, &result, sizeof result);
	}
	*t = (struct challenge_time){ .pace = f->pace, .early = f->early,
	    .is_hidden = !fake_is_due(f->visible_every, f->challenges),
	    .disturbed = fake_is_due(f->disturb_every, f->challenges) };
	t->took_ns = fake_handoff(f, 0) + (uint64_t)(calls * f->call_ns * fake_times(f));
	f->left_ns -= f->left_ns < t->took_ns ? f->left_ns : t->took_ns;
	return reply->status = f->fail;
}

static inline enum status
fake_blank(void *arg, const struct audit_setting *with, uint64_t (*seed)[2],
    struct challenge_time *t, struct bench_reply *reply)
{
	struct fake_lane	*f = arg;

	assert_ptr_equal(with->challenge, f->of);
	memcpy(f->blank_seed[f->blanks % 128], seed[0], sizeof seed[0]);
	*t = (struct challenge_time){ .took_ns = fake_handoff(f, f->blanks++), .is_hidden = true };
	return reply->status = f->fail_blank;
}

static inline void
fake_outputs(void *arg, const struct challenge *c, uint32_t nth, char *to)
{
	const struct fake_lane		*f = arg;
	const struct runner_challenge	 p = fake_place(c, 1);

	memcpy(to, f->results + nth * RT_MAX_RESULT, RT_MAX_RESULT);
	challenge_read(c, &p, f->sets + nth * p.set_bytes, to);
}

/* Some, even if the spec's routine cannot be challenged. */
static inline size_t
fake_set_bytes(const struct fake_lane *f)
{
	return f->of->bytes == 0 ? 4096 : challenge_most_calls(f->of) * f->of->bytes;
}

static inline uint64_t
fake_left_ns(void *arg)
{
	return ((const struct fake_lane *)arg)->left_ns;
}

static inline struct audit_lane
fake_lane_open(struct fake_lane *f, const struct challenge *c)
{
	*f = (struct fake_lane){ .of = c, .routine = fake_honest, .call_ns = 50000,
	    .handoff_ns = { 600 }, .pace = 100, .left_ns = UINT64_MAX };
	f->seed = calloc(FAKE_SEEDS, sizeof *f->seed);
	f->sets = aligned_alloc(4096, (fake_set_bytes(f) + 4095) / 4096 * 4096);
	f->results = calloc(1, RUNNER_SETS_AT);
	assert_true(f->seed != NULL && f->sets != NULL && f->results != NULL);
	return (struct audit_lane){ fake_challenge, fake_blank, fake_outputs, fake_left_ns, f };
}

static inline void
fake_lane_close(struct fake_lane *f)
{
	free(f->seed);
	free(f->sets);
	free(f->results);
	*f = (struct fake_lane){ .of = NULL };
}

#endif
