/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stencil application: heat spreads on a plate of N x N points with fixed edges, two grids by
 * turns, by the routine stencil, timed in place.  Usage: heat N STEPS [bare]
 *
 * The grids are made first and a table for the input after them, so the first call finds them out
 * of cache; the later ones find what the call before left.  As in multigrid methods a coarse grid
 * comes first, so the first call on the fine one is not the first of the routine's code; with
 * `bare` it is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "record.h"

extern void	 stencil(const int N, const double rate, const double *in, double *out);

enum { TABLE_BYTES = 256 << 20, COARSE = 64, COARSE_STEPS = 100 };

static double *
grid(int n)
{
	double	*g = malloc((size_t)n * (size_t)n * sizeof *g);

	if (g == NULL)
		exit(1);
	for (int i = 0; i < n * n; i++)
		g[i] = 1.0 * rand() / RAND_MAX;
	return g;
}

/* The warm edge is held at its temperature. */
static void
hold_edge(double *g, int n)
{
	for (int j = 0; j < n; j++)
		g[j] = 1.0;
}

static void
solve_coarse(void)
{
	double	*from = grid(COARSE), *to = grid(COARSE);

	for (int step = 0; step < COARSE_STEPS; step++)
		stencil(COARSE, 0.1, step % 2 == 0 ? from : to, step % 2 == 0 ? to : from);
	free(from);
	free(to);
}

int
main(int argc, char **argv)
{
	const int	 n = argc >= 3 ? atoi(argv[1]) : 0, steps = argc >= 3 ? atoi(argv[2]) : 0;
	struct record	 record;
	double		*from, *to;

	if (n < 3 || steps < 1) {
		fprintf(stderr, "usage: heat N STEPS [bare]\n");
		return 2;
	}
	record_init(&record, (size_t)steps);
	from = grid(n);
	to = grid(n);
	record_other_work(TABLE_BYTES);
	if (argc == 3)
		solve_coarse();
	for (int step = 0; step < steps; step++) {
		const uint64_t	 began = record_now();
		double		*spare;

		stencil(n, 0.1, from, to);
		record_put(&record, record_now() - began);
		hold_edge(to, n);
		spare = from;
		from = to;
		to = spare;
	}
	record_print("heat", &record);
	record_release(&record);
	free(from);
	free(to);
	return 0;
}
