/* SPDX-License-Identifier: Apache-2.0 */
/* doitgen, n x n x n; its scalars go by reference and stay in cache. */
#include "routine.h"

extern int	 doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x,
		    const int *ldx, const int *np, const int *nq, const int *nr, const int *ns);

static size_t
doubles(size_t operand, int n)
{
	return operand == 0 ? (size_t)n * (size_t)n * (size_t)n : (size_t)n * (size_t)n;
}

static void
call(int n, double *const *at)
{
	const int	one = 1, plane = n * n;

	doitgen(at[0], &one, &n, &plane, at[1], &n, &n, &n, &n, &n);
}

const struct routine	routine = { "doitgen", 2, doubles, call };
