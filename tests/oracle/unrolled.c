/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The throughput of a short routine: how long one call takes in straight-line code of 64 of them,
 * many times over, by the wall clock.  Nothing is subtracted and nothing need be: a loop of 64
 * calls costs nothing beside them, and samples of some 200 µs make what reading the clock costs
 * less than a thousandth.  Prints one line of JSON.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "pace.h"

#define FOUR(x)		x x x x
#define SIXTY_FOUR(x)	FOUR(FOUR(FOUR(x)))

enum { CALLS = 64, N = 32 };

double	 short_work(const int, const double *, const double *);

static double
call_ns(const struct clock_source *clock, const double *x, const double *y, size_t rounds)
{
	const uint64_t	began = clock->now();

	for (size_t i = 0; i < rounds; i++) {
		SIXTY_FOUR(short_work(N, x, y);)
	}
	return (double)(clock->now() - began) * clock->ns_per_count / (double)(rounds * CALLS);
}

static void
print_list(const char *name, const double *v, size_t n)
{
	printf("\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		printf("%s%.4f", i > 0 ? "," : "", v[i]);
	printf("]");
}

/* usage: unrolled SAMPLES ROUNDS */
int
main(int argc, char **argv)
{
	const size_t		 samples = argc > 1 ? strtoul(argv[1], NULL, 10) : 101;
	const size_t		 rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 160;
	static double		 x[N], y[N];
	double			*ns = calloc(2 * samples, sizeof *ns), *pace = ns + samples;
	struct clock_source	 clock;

	if (ns == NULL || samples == 0 || rounds == 0 || clock_choose(&clock, "wall") != 0)
		return 1;
	for (size_t i = 0; i < N; i++)
		x[i] = y[i] = 1 + (double)i / N;
	call_ns(&clock, x, y, rounds);
	for (size_t i = 0; i < samples; i++) {
		ns[i] = call_ns(&clock, x, y, rounds);
		pace[i] = pace_ns();
	}
	printf("{");
	print_list("samples_ns", ns, samples);
	printf(",");
	print_list("pace_ns", pace, samples);
	printf("}\n");
	free(ns);
	return 0;
}
