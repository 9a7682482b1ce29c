/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>

#include "client/micro/space/pick.h"

/* splitmix64 */
static uint64_t
next(uint64_t *state)
{
	uint64_t	z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Of 0 to `most`, without the bias of a remainder. */
static uint64_t
draw(uint64_t *state, uint64_t most)
{
	const uint64_t	n = most + 1, cut = n == 0 ? 0 : -n % n;
	uint64_t	r;

	do
		r = next(state);
	while (r < cut);
	return n == 0 ? r : r % n;
}

/* A set of numbers: those that are taken, each plus 1, at the first free place behind its own. */
struct set {
	uint64_t	*at;
	uint64_t	 mask;
};

static bool
add(struct set *s, uint64_t number)
{
	uint64_t	i = (number ^ number >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & s->mask;

	for (; s->at[i] != 0; i = (i + 1) & s->mask)
		if (s->at[i] == number + 1)
			return false;
	s->at[i] = number + 1;
	return true;
}

static int
ascending(const void *a, const void *b)
{
	const uint64_t	x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Floyd's: a number that is taken already is replaced by the largest one so far. */
uint64_t *
pick_numbers(struct arena *a, uint64_t count, uint64_t n, uint64_t seed)
{
	uint64_t	*numbers = arena_take(a, n * sizeof *numbers), size = 2;
	struct set	 taken;

	while (size < 2 * n)
		size *= 2;
	taken = (struct set){ .at = arena_take(a, size * sizeof *taken.at), .mask = size - 1 };
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t	most = count - n + i, r = draw(&seed, most);

		numbers[i] = add(&taken, r) ? r : most;
		if (numbers[i] == most && r != most)
			(void)add(&taken, most);
	}
	qsort(numbers, n, sizeof *numbers, ascending);
	return numbers;
}
