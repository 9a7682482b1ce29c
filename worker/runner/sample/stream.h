/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_STREAM_H
#define ASSAY_WORKER_RUNNER_SAMPLE_STREAM_H

#include <stdint.h>

/*
 * The i-th number of the stream that `seed` names (splitmix64).  Inline: audits draw a hundred
 * thousand of them between two calls.
 */
static inline uint64_t
rt_number(uint64_t seed, uint64_t i)
{
	uint64_t	x = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* The numbers of an operand: of the stream that its seed names, behind a second key if not 0. */
struct stream {
	uint64_t	seed, secret;
};

static inline uint64_t
stream_number(const struct stream *s, uint64_t i)
{
	uint64_t	x = rt_number(s->seed, i);

	return s->secret == 0 ? x : rt_number(x ^ s->secret, 0);
}

/* Below n: the i-th number, scaled. */
static inline uint64_t
stream_below(const struct stream *s, uint64_t i, uint64_t n)
{
	return (uint64_t)((unsigned __int128)stream_number(s, i) * n >> 64);
}

#endif
