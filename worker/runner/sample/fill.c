/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/sort.h"
#include "worker/runner/sample/text.h"

#define VALUES	0x6a09e667f3bcc909u	/* names the stream of which value an element has */
#define ZEROS	0xbb67ae8584caa73bu	/* names the stream of what is 0 */
#define MEMBERS	0x3c6ef372fe94f82bu	/* times its place: names the stream of a member */

int
rt_is_random(const struct rt_operand *o)
{
	return o->rt_init == 'r' || o->rt_init == 'p' || o->rt_init == 't';
}

static double
real_between(double low, double high, uint64_t bits)
{
	return low + (high - low) * ((double)(bits >> 11) * 0x1p-53);
}

/*
 * Both ends included.  The range of a whole type has no size in 64 bits: then every number will do.
 */
static int64_t
integer_between(int64_t low, int64_t high, uint64_t bits)
{
	uint64_t	size = (uint64_t)high - (uint64_t)low + 1;

	if (size == 0)
		return (int64_t)bits;
	return (int64_t)((uint64_t)low + (uint64_t)((unsigned __int128)bits * size >> 64));
}

static void
put_integer(char *at, uint32_t bytes, int64_t x)
{
	int8_t	x1 = (int8_t)x;
	int16_t	x2 = (int16_t)x;
	int32_t	x4 = (int32_t)x;

	switch (bytes) {
	case 1: memcpy(at, &x1, 1); break;
	case 2: memcpy(at, &x2, 2); break;
	case 4: memcpy(at, &x4, 4); break;
	default: memcpy(at, &x, 8); break;
	}
}

static void
put_real(char *at, uint32_t bytes, double x)
{
	float		x4 = (float)x;
	long double	x16 = x;

	switch (bytes) {
	case 4: memcpy(at, &x4, 4); break;
	case 8: memcpy(at, &x, 8); break;
	default: memcpy(at, &x16, sizeof x16); break;
	}
}

/* x as an element of the operand's type; a complex one has imaginary part 0. */
static void
put_number(const struct rt_operand *o, char *at, int64_t x)
{
	uint32_t	half = o->rt_bytes / 2;

	switch (o->rt_class) {
	case 'f': put_real(at, o->rt_bytes, (double)x); break;
	case 'c': put_real(at, half, (double)x); put_real(at + half, half, 0); break;
	case 'b': *at = x != 0; break;
	default: put_integer(at, o->rt_bytes, x); break;
	}
}

/* A bound of the range, as bits: those of an unsigned type may be beyond INT64_MAX. */
static int64_t
bound(double x)
{
	if (x < 0)
		return x > -0x1p63 ? (int64_t)x : INT64_MIN;
	return x < 0x1p64 ? (int64_t)(uint64_t)x : -1;
}

/* Bits as random as these, but of the k-th of n equal parts of all numbers. */
static uint64_t
part_of(uint64_t bits, uint64_t k, uint64_t n)
{
	return n == 1 ? bits : (uint64_t)(((unsigned __int128)k << 64 | bits) / n);
}

/* Likewise of the integers from low to high, so that no two parts have one in common. */
static int64_t
integer_of_part(const struct rt_operand *o, uint64_t bits, uint64_t k, uint64_t n)
{
	const uint64_t		low = (uint64_t)bound(o->rt_low);
	const uint64_t		high = (uint64_t)bound(o->rt_high);
	const unsigned __int128	size = (unsigned __int128)(high - low) + 1;

	if (n == 1)
		return integer_between((int64_t)low, (int64_t)high, bits);
	return integer_between((int64_t)(low + (uint64_t)(k * size / n)),
	    (int64_t)(low + (uint64_t)((k + 1) * size / n) - 1), bits);
}

static void
put_real_element(const struct rt_operand *o, const struct stream *s, char *at, uint64_t from,
    uint64_t k, uint64_t n)
{
	const struct stream	imaginary = { ~s->seed, s->secret };
	const uint64_t		bits = part_of(stream_number(s, from), k, n);
	const uint32_t		half = o->rt_bytes / 2;

	if (o->rt_class == 'f') {
		put_real(at, o->rt_bytes, real_between(o->rt_low, o->rt_high, bits));
		return;
	}
	put_real(at, half, real_between(o->rt_low, o->rt_high, bits));
	put_real(at + half, half,
	    real_between(o->rt_low, o->rt_high, stream_number(&imaginary, from)));
}

/*
 * The number of the stream at `from`, in part k of n.  Few distinct values are one of each part; if
 * any are allowed, all the range is the one part.
 */
static void
put_drawn(const struct rt_operand *o, const struct stream *s, char *at, uint64_t from, uint64_t k,
    uint64_t n)
{
	int64_t	x;

	if (o->rt_class == 'f' || o->rt_class == 'c') {
		put_real_element(o, s, at, from, k, n);
		return;
	}
	x = integer_of_part(o, stream_number(s, from), k, n);
	put_integer(at, o->rt_bytes, o->rt_class == 'b' ? x != 0 : x);
}

static void
put_random(const struct rt_operand *o, const struct stream *s, char *at, uint64_t i)
{
	const struct stream	values = { s->seed ^ VALUES, s->secret };
	const struct stream	zeros = { s->seed ^ ZEROS, s->secret };
	uint64_t		k;

	if (o->rt_zeros > 0 && real_between(0, 1, stream_number(&zeros, i)) < o->rt_zeros) {
		memset(at, 0, o->rt_bytes);
		return;
	}
	if (o->rt_distinct == 0) {
		put_drawn(o, s, at, i, 0, 1);
		return;
	}
	k = stream_below(&values, i, o->rt_distinct);
	put_drawn(o, s, at, k, k, o->rt_distinct);
}

/* The common case in a tight loop: an operand of many megabytes must not take seconds. */
static void
fill_random_double(const struct rt_operand *o, const struct stream *s, double *at)
{
	for (uint64_t i = 0; i < o->rt_count; i++)
		at[i] = real_between(o->rt_low, o->rt_high, stream_number(s, i));
}

/* ---- structs ---- */

/* Number `index` of those that a member has in all structs. */
static void
put_of_member(const struct rt_operand *o, const struct rt_operand *as, const struct stream *s,
    char *at, uint64_t index)
{
	if (o->rt_init == 'r')
		put_drawn(as, s, at, index, 0, 1);
	else
		put_number(as, at, (int64_t)index);
}

/* Padding stays 0. */
static void
fill_member(const struct rt_operand *o, uint32_t place, const struct stream *s, char *at)
{
	const struct rt_member	*m = &o->rt_member[place];
	const struct rt_operand	 as = { .rt_class = m->rt_class, .rt_bytes = m->rt_bytes,
				    .rt_low = m->rt_low, .rt_high = m->rt_high };
	const struct stream	 own = { s->seed ^ (place + 1) * MEMBERS, s->secret };

	for (uint64_t i = 0; i < o->rt_count; i++)
		for (uint64_t k = 0; k < m->rt_count; k++)
			put_of_member(o, &as, &own,
			    at + i * o->rt_bytes + m->rt_offset + k * m->rt_bytes,
			    i * m->rt_count + k);
}

static void
fill_structs(const struct rt_operand *o, const struct stream *s, char *at)
{
	memset(at, 0, o->rt_count * o->rt_bytes);
	for (uint32_t m = 0; m < o->rt_members; m++)
		fill_member(o, m, s, at);
}

/* ---- all kinds ---- */

static void
fill_random(const struct rt_operand *o, const struct stream *s, char *at)
{
	if (o->rt_class == 'f' && o->rt_bytes == sizeof(double) && o->rt_distinct == 0 &&
	    o->rt_zeros == 0 && (uintptr_t)at % sizeof(double) == 0) {
		fill_random_double(o, s, (double *)(void *)at);
		return;
	}
	for (uint64_t i = 0; i < o->rt_count; i++)
		put_random(o, s, at + i * o->rt_bytes, i);
}

/* Fisher and Yates. */
static void
fill_permutation(const struct rt_operand *o, const struct stream *s, char *at)
{
	for (uint64_t i = 0; i < o->rt_count; i++)
		put_number(o, at + i * o->rt_bytes, (int64_t)i);
	for (uint64_t i = o->rt_count; i > 1; i--)
		rt_swap(o, at, i - 1, stream_below(s, i, i));
}

static void
fill_data(const struct rt_operand *o, char *at)
{
	uint64_t	bytes = o->rt_count * o->rt_bytes;
	uint64_t	given = o->rt_data_bytes < bytes ? o->rt_data_bytes : bytes;

	memcpy(at, o->rt_data, given);
	memset(at + given, 0, bytes - given);
}

void
rt_fill_secret(const struct rt_operand *o, uint64_t secret, void *at)
{
	const struct stream	 stream = { o->rt_seed, secret };
	char			*p = at;

	if (o->rt_class == 's' && o->rt_init != 'd') {
		fill_structs(o, &stream, p);
		return;
	}
	switch (o->rt_init) {
	case 'r':
		fill_random(o, &stream, p);
		rt_sort(o, &stream, p);
		break;
	case 't':
		rt_text(&stream, p, o->rt_count);
		break;
	case 'p':
		fill_permutation(o, &stream, p);
		break;
	case 'd':
		fill_data(o, p);
		break;
	case 'v':
		for (uint64_t i = 0; i < o->rt_count; i++)
			memcpy(p + i * o->rt_bytes, o->rt_data, o->rt_bytes);
		break;
	default:
		for (uint64_t i = 0; i < o->rt_count; i++)
			put_number(o, p + i * o->rt_bytes, (int64_t)i);
		break;
	}
}

void
rt_fill(const struct rt_operand *o, void *at)
{
	rt_fill_secret(o, 0, at);
}

/*
 * x86 and AArch64 are little-endian, and the sign of every format of theirs is the topmost bit that
 * it uses.
 */
static void
turn_real(char *at, uint32_t bytes)
{
	long double	x16;

	if (bytes != sizeof x16) {
		at[bytes - 1] ^= (char)0x80;
		return;
	}
	memcpy(&x16, at, sizeof x16);
	x16 = -x16;
	memcpy(at, &x16, sizeof x16);
}

/* Two's complement: all bits turned round, and one more. */
static void
turn_integer(char *at, uint32_t bytes)
{
	unsigned	carry = 1;

	for (uint32_t i = 0; i < bytes; i++) {
		unsigned	x = (unsigned)(unsigned char)~at[i] + carry;

		at[i] = (char)x;
		carry = x >> 8;
	}
}

void
rt_fill_negated(const struct rt_operand *o, void *at, const void *from)
{
	uint32_t	 half = o->rt_bytes / 2;
	char		*p = at;

	memcpy(p, from, o->rt_count * o->rt_bytes);
	for (uint64_t i = 0; i < o->rt_count; i++, p += o->rt_bytes)
		switch (o->rt_class) {
		case 'f':
			turn_real(p, o->rt_bytes);
			break;
		case 'c':
			turn_real(p, half);
			turn_real(p + half, half);
			break;
		case 'i':
			turn_integer(p, o->rt_bytes);
			break;
		default:
			break;
		}
}
