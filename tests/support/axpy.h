/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_AXPY_H
#define ASSAY_TESTS_AXPY_H

/*
 * A driver as the supervisor would write it, with the routine it calls: y = a x + y on 300 doubles,
 * and an operand that is only written.  The routine notes what it was called with.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/runner/method/sample.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/restore.h"

enum { N = 300, KNOWN = 64 };	/* elements; the last calls that are known */

static const struct rt_operand	operands[] = {
	{ .rt_name = "x", .rt_class = 'f', .rt_bytes = 8, .rt_count = N, .rt_stride = 1,
	    .rt_access = 'i', .rt_align = 64, .rt_init = 'r', .rt_seed = 1, .rt_low = -1,
	    .rt_high = 1 },
	{ .rt_name = "y", .rt_class = 'f', .rt_bytes = 8, .rt_count = N, .rt_stride = 1,
	    .rt_access = 'b', .rt_align = 8, .rt_misalign = 16, .rt_init = 'r', .rt_seed = 2,
	    .rt_low = -1, .rt_high = 1 },
	{ .rt_name = "z", .rt_class = 'i', .rt_bytes = 4, .rt_count = N, .rt_stride = 1,
	    .rt_access = 'o', .rt_align = 4, .rt_init = 'n' },
};

struct seen {
	unsigned	 calls;
	unsigned	 before;	/* … of them before the last region */
	const double	*x[KNOWN];
	double		*y[KNOWN];
	double		 y_first[KNOWN];	/* y[0] as the routine found it */
	double		 x_first[KNOWN];
};
static struct seen	seen;

static inline void
routine(const double *x, double *y, int *z)
{
	unsigned	i = seen.calls++ % KNOWN;

	seen.x[i] = x;
	seen.y[i] = y;
	seen.y_first[i] = y[0];
	seen.x_first[i] = x[0];
	y[0] += x[0];
	z[N - 1] = -5;
}

static volatile int	result;

static inline void
call(rt_code *code, void *const *at)
{
	((void (*)(const double *, double *, int *))code)(at[0], at[1], at[2]);
	result = 42;
}

static inline rt_u64
repeat(rt_code *code, void *const *at, rt_u64 calls)
{
	seen.before = seen.calls;
	for (rt_u64 i = 0; i < calls; i++)
		call(code, at);
	return calls;
}

static inline rt_u64
rotate(rt_code *code, void *const *at, const rt_u64 *step, const rt_u32 *walk, rt_u64 calls)
{
	for (rt_u64 i = 0; i < calls; i++) {
		void	*set[3];

		for (int k = 0; k < 3; k++)
			set[k] = (char *)at[k] + walk[i] * step[k];
		call(code, set);
	}
	return calls;
}

static inline void
empty(void)
{
}

static const struct rt_driver	driver = {
	.rt_abi = RT_ABI, .rt_operands = 3, .rt_operand = operands, .rt_routine = "axpy",
	.rt_clock = "wall", .rt_call = call, .rt_repeat = repeat, .rt_rotate = rotate,
	.rt_stroll = rotate, .rt_empty = empty, .rt_result = &result, .rt_result_bytes = sizeof result,
};

static const struct runner_setup	setup = { .cpu = -1, .line_bytes = 64, .l1_bytes = 32 << 10,
    .l2_bytes = 1 << 20, .out_of_l1 = 128 << 10, .out_of_l2 = 4 << 20 };

static inline void
make_sets(struct rt_sets *s)
{
	assert_null(rt_sets_make(s, &driver, setup.line_bytes));
	rt_sets_enter(s);
	memset(&seen, 0, sizeof seen);
}

static inline void
make(struct rt_timer *t)
{
	assert_null(rt_timer_make(t, &driver, &setup));
	rt_timer_enter(t);
	memset(&seen, 0, sizeof seen);
}

static rt_u64			turn;
static struct rt_operand	paired[3];

/* RangeGuard: the same driver, but that x has a negated copy and signs turn. */
static inline struct rt_driver
turning_driver(void)
{
	struct rt_driver	d = driver;

	memcpy(paired, operands, sizeof paired);
	paired[0].rt_paired = 1;
	d.rt_operand = paired;
	d.rt_turn = &turn;
	return d;
}

#endif
