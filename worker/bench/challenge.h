/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_CHALLENGE_H
#define ASSAY_WORKER_BENCH_CHALLENGE_H

#include <stdbool.h>

#include "proto/spec/spec.h"
#include "worker/runner/sample/rt.h"

/*
 * A challenge: operands in memory that the supervisor shares with a runner and writes itself, right
 * before its order.  Inputs are the spec's, with some elements drawn anew.  So an answer from
 * memory, or one computed from remembered inputs, is wrong.  Outputs are poisoned.  The draw
 * depends on a seed alone, so that the reference can be given the same challenge later.  The seeds
 * are secret.
 */
struct challenge_operand {
	uint64_t		 at, bytes;	/* in the challenge area */
	struct rt_operand	 fill;		/* draws one element */
	uint64_t		 touched;	/* elements, rt_stride apart, that can be drawn
						 * anew; 0: none may be */
	bool			 is_written, is_read;
};

struct challenge {
	size_t				 operands;
	struct challenge_operand	 operand[RT_MAX_OPERANDS];
	uint64_t			 bytes;		/* of the area, which begins at a page */
	bool				 varies;	/* some operand can be drawn anew */
};

enum {
	CHALLENGE_MOST_BYTES	= 64 << 20,	/* of all operands: more would take longer to write
						 * than to time */
	CHALLENGE_GLANCES	= 64,
	CHALLENGE_KINDS		= 4,		/* a seed that is a multiple of it draws all
						 * elements, another a few */
};

/* NULL, or why the spec's routine cannot be challenged, in words that last. */
const char	*challenge_make(struct challenge *, const struct spec *);

/*
 * Write everything but the last few elements. challenge_finish writes those right before the call,
 * so that they stay in a cache of ours.  `first`: the operands' first contents, laid out as the
 * area.
 */
void		 challenge_write(const struct challenge *, char *area, const char *first,
		    uint64_t seed);
/* Flush it out of every cache, if this machine can. */
void		 challenge_flush(const struct challenge *, char *area);
void		 challenge_finish(const struct challenge *, char *area, uint64_t seed);

/*
 * Right after the call: some bytes of the outputs at secret places.  Later, in `outputs` as
 * challenge_read lays them out: do they still hold? false: the call was said to be over too early.
 */
struct challenge_glance {
	size_t		 n;
	uint64_t	 at[CHALLENGE_GLANCES];
	char		 byte[CHALLENGE_GLANCES];
};
void		 challenge_glance(const struct challenge *, const char *area, uint64_t seed,
		    struct challenge_glance *);
bool		 challenge_glance_holds(const struct challenge_glance *, const char *area);

/* The written operands, where worker/check/answer.h expects them behind the result. */
void		 challenge_read(const struct challenge *, const char *area, char *outputs);

#endif
