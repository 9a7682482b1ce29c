/* SPDX-License-Identifier: Apache-2.0 */
#include "routine.h"

extern void	 axpy(const int N, const double alpha, const double *X, double *Y);

static size_t
doubles(size_t operand, int n)
{
	(void)operand;
	return (size_t)n;
}

static void
call(int n, double *const *at)
{
	axpy(n, 0.5, at[0], at[1]);
}

const struct routine	routine = { "axpy", 2, doubles, call };
