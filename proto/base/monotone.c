/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/base/monotone.h"

struct block {
	double	mean, weight;
	size_t	n;
};

void
monotone_fit(double *y, const double *weight, size_t n)
{
	struct block	b[MONOTONE_MAX];
	size_t		blocks = 0, at = 0;

	for (size_t i = 0; i < n; i++) {
		b[blocks++] = (struct block){ y[i], weight != NULL ? weight[i] : 1, 1 };
		for (; blocks > 1 && b[blocks - 2].mean > b[blocks - 1].mean; blocks--) {
			struct block	*into = &b[blocks - 2], *last = &b[blocks - 1];

			into->mean = (into->mean * into->weight + last->mean * last->weight) /
			    (into->weight + last->weight);
			into->weight += last->weight;
			into->n += last->n;
		}
	}
	for (size_t k = 0; k < blocks; k++)
		for (size_t i = 0; i < b[k].n; i++)
			y[at++] = b[k].mean;
}
