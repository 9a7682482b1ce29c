/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application that sweeps arrays: N particles drift through a periodic box, place += dt * speed
 * at each step, by the routine axpy, timed in place.  Usage: drift N STEPS [bare]
 *
 * The particles are made first and a table for the input after them, so the first call finds them
 * out of cache; the later ones find what the call before left.  A few test particles go first, so
 * the first call on all of them is not the first of the routine's code; with `bare` it is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "record.h"

extern void	 axpy(const int N, const double alpha, const double *X, double *Y);

enum { TABLE_BYTES = 256 << 20, CHECK_EVERY = 97, FEW = 1000, FEW_STEPS = 500 };

static double *
vector(int n, double scale)
{
	double	*v = malloc((size_t)n * sizeof *v);

	if (v == NULL)
		exit(1);
	for (int i = 0; i < n; i++)
		v[i] = scale * rand() / RAND_MAX;
	return v;
}

/* Who left the box comes in on the other side; a few particles are looked at in each step. */
static void
wrap_some(double *place, int n, int step)
{
	for (int i = step % CHECK_EVERY; i < n; i += n / 8)
		if (place[i] >= 1.0)
			place[i] -= 1.0;
}

static void
drift_few(void)
{
	double	*place = vector(FEW, 1.0), *speed = vector(FEW, 1e-3);

	for (int step = 0; step < FEW_STEPS; step++)
		axpy(FEW, 0.5, speed, place);
	free(place);
	free(speed);
}

int
main(int argc, char **argv)
{
	const int	 n = argc >= 3 ? atoi(argv[1]) : 0, steps = argc >= 3 ? atoi(argv[2]) : 0;
	struct record	 record;
	double		*place, *speed;

	if (n < 8 || steps < 1) {
		fprintf(stderr, "usage: drift N STEPS [bare]\n");
		return 2;
	}
	record_init(&record, (size_t)steps);
	place = vector(n, 1.0);
	speed = vector(n, 1e-3);
	record_other_work(TABLE_BYTES);
	if (argc == 3)
		drift_few();
	for (int step = 0; step < steps; step++) {
		const uint64_t	began = record_now();

		axpy(n, 0.5, speed, place);
		record_put(&record, record_now() - began);
		wrap_some(place, n, step);
	}
	record_print("drift", &record);
	record_release(&record);
	free(place);
	free(speed);
	return 0;
}
