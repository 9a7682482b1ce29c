/* SPDX-License-Identifier: Apache-2.0 */
#include "routine.h"

extern void	 gemv(const int M, const int N, const double alpha, const double *A, const int lda,
		    const double *X, double *Y);

static size_t
doubles(size_t operand, int n)
{
	return operand == 0 ? (size_t)n * (size_t)n : (size_t)n;
}

static void
call(int n, double *const *at)
{
	gemv(n, n, 0.5, at[0], n, at[1], at[2]);
}

const struct routine	routine = { "gemv", 3, doubles, call };
