/* SPDX-License-Identifier: Apache-2.0 */
/* ATLAS's user matrix multiply, n x n x n, alpha and beta 1, as ATLAS's own timer calls it. */
#include "routine.h"

extern void	 ATL_USERMM(const int M, const int N, const int K, const double alpha,
		    const double *A, const int lda, const double *B, const int ldb,
		    const double beta, double *C, const int ldc);

static size_t
doubles(size_t operand, int n)
{
	(void)operand;
	return (size_t)n * (size_t)n;
}

static void
call(int n, double *const *at)
{
	ATL_USERMM(n, n, n, 1.0, at[0], n, at[1], n, 1.0, at[2], n);
}

const struct routine	routine = { "gemm", 3, doubles, call };
