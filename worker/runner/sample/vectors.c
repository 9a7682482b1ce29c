/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/base/clock.h"
#include "worker/runner/sample/vectors.h"

enum { ROUNDS = 256 };		/* between two looks at the clock: a fraction of a microsecond */

typedef uint64_t	 four __attribute__((vector_size(32)));

/* The compiler knows neither the numbers nor what becomes of them. */
#define ADD_ROUNDS				\
	do {					\
		four	a = { 1, 2, 3, 4 };	\
						\
		for (unsigned i = 0; i < ROUNDS; i++) {		\
			a += a;			\
			__asm__ volatile("" : "+x"(a));		\
		}				\
	} while (0)

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void
add_wide(void)
{
	ADD_ROUNDS;
}
#endif

static void
add(void)
{
	double	sum = 1;

	for (unsigned i = 0; i < ROUNDS; i++) {
		sum += 1;
		__asm__ volatile("" : "+m"(sum));
	}
}

void
rt_vectors_wake(uint64_t for_ns)
{
	const uint64_t	until_ns = clock_now_ns() + for_ns;
	void		(*work)(void) = add;

#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		work = add_wide;
#endif
	while (clock_now_ns() < until_ns)
		work();
}
