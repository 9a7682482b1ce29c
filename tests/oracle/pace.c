/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <time.h>

#include "pace.h"

enum { TURNS = 3000 };

static double
now_ns(void)
{
	struct timespec	t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

double
pace_ns(void)
{
	uint64_t	a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
	const double	began = now_ns();

	for (int i = 0; i < TURNS; i++) {
		a += 0x9e37; b += 0x79b9; c ^= 0x7f4a; d += 0x7c15; e ^= 0xf39c; f += 0xc060;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	}
	return now_ns() - began;
}
