/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/sample/sort.h"

#define SWAPS	0x3c6ef372fe94f82bu	/* names the stream of places that are swapped */

void
rt_swap(const struct rt_operand *o, char *at, uint64_t i, uint64_t j)
{
	char	*a = at + i * o->rt_bytes, *b = at + j * o->rt_bytes, spare[RT_MAX_RESULT];

	if (i == j)
		return;
	memcpy(spare, a, o->rt_bytes);
	memcpy(a, b, o->rt_bytes);
	memcpy(b, spare, o->rt_bytes);
}

/* ---- heap sort, for each type of an element; operands may be at odd addresses ---- */

#define HEAP_SORT(name, type)								\
	typedef type odd_##name __attribute__((aligned(1), may_alias));			\
											\
	/* The subtree of `root` becomes a heap: no element is above its parent. */	\
	static void									\
	sift_##name(odd_##name *x, uint64_t root, uint64_t n)				\
	{										\
		const type	moved = x[root];					\
		uint64_t	child;							\
											\
		for (; (child = 2 * root + 1) < n; root = child) {			\
			child += child + 1 < n && x[child] < x[child + 1];		\
			if (!(moved < x[child]))					\
				break;							\
			x[root] = x[child];						\
		}									\
		x[root] = moved;							\
	}										\
											\
	static void									\
	sort_##name(char *at, uint64_t n)						\
	{										\
		odd_##name	*x = (odd_##name *)(void *)at;				\
											\
		for (uint64_t i = n / 2; i > 0; i--)					\
			sift_##name(x, i - 1, n);					\
		for (uint64_t i = n; i > 1; i--) {					\
			const type	last = x[i - 1];				\
											\
			x[i - 1] = x[0];						\
			x[0] = last;							\
			sift_##name(x, 0, i - 1);					\
		}									\
	}

HEAP_SORT(i1, int8_t)
HEAP_SORT(i2, int16_t)
HEAP_SORT(i4, int32_t)
HEAP_SORT(i8, int64_t)
HEAP_SORT(u1, uint8_t)
HEAP_SORT(u2, uint16_t)
HEAP_SORT(u4, uint32_t)
HEAP_SORT(u8, uint64_t)
HEAP_SORT(f4, float)
HEAP_SORT(f8, double)
HEAP_SORT(f16, long double)

static void
sort(const struct rt_operand *o, char *at)
{
	static const struct kind {
		char	class;
		uint32_t bytes;
		void	(*sort)(char *, uint64_t);
	} kinds[] = {
		{ 'b', 1, sort_u1 }, { 'i', 1, sort_i1 }, { 'i', 2, sort_i2 }, { 'i', 4, sort_i4 },
		{ 'i', 8, sort_i8 }, { 'u', 1, sort_u1 }, { 'u', 2, sort_u2 }, { 'u', 4, sort_u4 },
		{ 'u', 8, sort_u8 }, { 'f', 4, sort_f4 }, { 'f', 8, sort_f8 },
		{ 'f', sizeof(long double), sort_f16 },
	};

	for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
		if (kinds[k].class == o->rt_class && kinds[k].bytes == o->rt_bytes) {
			kinds[k].sort(at, o->rt_count);
			return;
		}
}

/* ---- the orders ---- */

static void
reverse(const struct rt_operand *o, char *at)
{
	for (uint64_t i = 0; i < o->rt_count / 2; i++)
		rt_swap(o, at, i, o->rt_count - 1 - i);
}

static void
swap_some(const struct rt_operand *o, const struct stream *s, char *at)
{
	const struct stream	places = { s->seed ^ SWAPS, s->secret };
	const uint64_t		swaps = (uint64_t)(o->rt_swaps * (double)o->rt_count + 0.5);

	for (uint64_t i = 0; i < swaps; i++)
		rt_swap(o, at, stream_below(&places, 2 * i, o->rt_count),
		    stream_below(&places, 2 * i + 1, o->rt_count));
}

void
rt_sort(const struct rt_operand *o, const struct stream *s, char *at)
{
	if (o->rt_order == 0 || o->rt_class == 'c')
		return;
	sort(o, at);
	if (o->rt_order == 'r')
		reverse(o, at);
	else if (o->rt_order == 'n')
		swap_some(o, s, at);
}
