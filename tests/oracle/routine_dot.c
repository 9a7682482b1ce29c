/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dot product; what it returns is kept, or a compiler that saw through it could leave it out.
 */
#include "routine.h"

extern double	 dotprod(const int N, const double *X, const double *Y);

static volatile double	kept;

static size_t
doubles(size_t operand, int n)
{
	(void)operand;
	return (size_t)n;
}

static void
call(int n, double *const *at)
{
	kept = dotprod(n, at[0], at[1]);
}

const struct routine	routine = { "dot", 2, doubles, call };
