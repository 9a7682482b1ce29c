/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RT_ALONE_MEMORY_H
#define RT_ALONE_MEMORY_H

#include <stdint.h>

#include "worker/runner/alone/alone.h"
#include "worker/runner/sample/flush.h"

/* The operands of a call.  The last place is for a negated copy (range_guard). */
struct memory {
	struct rt_alone	 spec;
	uint32_t	 line_bytes, n;			/* places used */
	void		*at[RT_MAX_OPERANDS + 1];	/* owned */
	void		*first[RT_MAX_OPERANDS + 1];	/* owned: first contents */
	uint64_t	 bytes[RT_MAX_OPERANDS + 1];
	const struct rt_operand *operand[RT_MAX_OPERANDS + 1];
	char		 cold[RT_MAX_OPERANDS + 1];
	char		*area;				/* owned; read to flush; NULL: none */
	uint64_t	 area_bytes;
};

/* NULL, or why not. */
const char	*memory_make(struct memory *);

/* All as at first; only what a call reads and writes. */
void		 memory_restore(struct memory *);
void		 memory_restore_inout(struct memory *);

/*
 * The state of the caches that a call begins in: cold operands leave them, warm ones are read.
 * Returns the lines that instructions flushed; 0 if other memory was read.
 */
uint64_t	 memory_prepare(struct memory *);
int		 memory_is_cold(const struct memory *);		/* any operand */
#endif
