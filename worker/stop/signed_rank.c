/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/stop/signed_rank.h"

enum {
	EXACT		= 50,			/* values, at most, that are counted out */
	EXACT_SUMS	= EXACT * (EXACT + 1) / 2 + 1,
};

/* The chance of each sum of ranks with positive sign: each rank has it or not, by a coin. */
static void
put_chances(size_t n, double chance[EXACT_SUMS])
{
	size_t	most = 0;

	chance[0] = 1;
	for (size_t rank = 1; rank <= n; rank++) {
		for (size_t sum = most + 1; sum <= most + rank; sum++)
			chance[sum] = 0;
		most += rank;
		for (size_t sum = most + 1; sum-- > 0;)
			chance[sum] = 0.5 * (chance[sum] +
			    (sum >= rank ? chance[sum - rank] : 0));
	}
}

/* The sum is nearly normal; its tails are lighter, so this misses less often than it may. */
static size_t
rank_by_normal(double n, double miss)
{
	const double	mean = n * (n + 1) / 4, deviation = sqrt(n * (n + 1) * (2 * n + 1) / 24);
	size_t		r = 0;

	while ((double)r < mean && erfc((mean - (double)r - 0.5) / deviation / M_SQRT2) <= miss)
		r++;
	return r;
}

size_t
signed_rank_of(size_t n, double miss)
{
	double	chance[EXACT_SUMS], below = 0;
	size_t	r = 0;

	if (n > EXACT)
		return rank_by_normal((double)n, miss);
	put_chances(n, chance);
	while (r < n * (n + 1) / 4 && 2 * (below + chance[r]) <= miss)
		below += chance[r++];
	return r;
}

bool
signed_rank(const double *x, size_t n, double miss, struct signed_rank *out)
{
	const size_t	means = n * (n + 1) / 2, r = signed_rank_of(n, miss);
	double		*mean = calloc(means, sizeof *mean);
	size_t		 k = 0;

	if (mean == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			mean[k++] = 0.5 * (x[i] + x[j]);
	qsort(mean, means, sizeof *mean, rank_ascending);
	*out = (struct signed_rank){ rank_middle(mean, means), mean[r != 0 ? r - 1 : 0],
	    mean[means - (r != 0 ? r : 1)], r != 0 };
	free(mean);
	return true;
}
