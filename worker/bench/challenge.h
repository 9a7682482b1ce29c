/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_CHALLENGE_H
#define ASSAY_WORKER_BENCH_CHALLENGE_H

#include <stdbool.h>

#include "proto/spec/spec.h"
#include "proto/wire/runner_shm.h"

/*
 * A challenge: calls on operands that are drawn for them, a working set each.  Contents are the
 * spec's, with all that is random drawn anew, so an answer from memory, or one computed from
 * remembered inputs, is wrong.  Outputs are poisoned.  The draw depends on a secret seed alone, so
 * the reference can be given the same challenge later.  worker/runner/scribe.h writes it.
 */
struct challenge_operand {
	uint64_t	 bytes;
	uint64_t	 unit;		/* its address is that of a sample, modulo this */
	bool		 is_written;
};

struct challenge {
	size_t				 operands;
	struct challenge_operand	 operand[RUNNER_OPERANDS];
	uint64_t			 bytes;		/* of a working set, wherever it lies */
	uint64_t			 unit;		/* of it: the largest of an operand */
	/* of an input that is long and never drawn anew; NULL: there is none */
	const char			*stale;
};

enum {
	CHALLENGE_MOST_BYTES	= 64 << 20,	/* of a set: more would take longer to write than
						 * to time */
	CHALLENGE_AREA_BYTES	= 4 << 20,	/* of several sets */
	CHALLENGE_STALE_BYTES	= 4096,		/* a longer input is work to be remembered */
	CHALLENGE_GLANCES	= 96,		/* bytes, of the last result and of outputs */
};

/* NULL, or why the spec's routine cannot be challenged, in words that last.  Borrows the spec. */
const char	*challenge_make(struct challenge *, const struct spec *);

/* Calls that a challenge may have, and memory for as many; 1 at least. */
uint32_t	 challenge_most_calls(const struct challenge *);
uint64_t	 challenge_area_bytes(const struct challenge *);

/*
 * Where operands lie, `home` being their addresses in samples: an operand as long as a page at the
 * same place of a page.
 */
struct runner_challenge challenge_lay(const struct challenge *, const uint64_t *home,
		    uint32_t calls);

/*
 * Right after the calls: the last result, and some bytes of the outputs at secret places.  Later:
 * do they still hold?  false: the calls were said to be over too early.  `area`: results, then
 * working sets.
 */
struct challenge_glance {
	size_t		 n;
	uint64_t	 at[CHALLENGE_GLANCES];	/* in the area */
	char		 byte[CHALLENGE_GLANCES];
};
void		 challenge_glance(const struct challenge *, const struct runner_challenge *,
		    const char *area, uint64_t seed, struct challenge_glance *);
bool		 challenge_glance_holds(const struct challenge_glance *, const char *area);

/*
 * The written operands of one working set, where worker/check/answer.h expects them behind the
 * result.
 */
void		 challenge_read(const struct challenge *, const struct runner_challenge *,
		    const char *set, char *outputs);

#endif
