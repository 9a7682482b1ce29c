/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_ISA_H
#define ASSAY_CLIENT_MICRO_DECODE_ISA_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Extensions of x86-64 that instructions need, by Zydis's names without the width: "SSE2",
 * "AVX512F".  What every processor of 64 bits has beside SSE and SSE2 is not named.
 */
struct isa {
	uint64_t	 known[2];	/* bits: rows of the table */
	const char	*other;		/* first that the table lacks; NULL: none */
};

/* `set`: a name of Zydis's, such as AVX512F_256, which also needs AVX512VL. */
void		 isa_add(struct isa *, const char *set);
/* The i-th extension, in the order of the table; NULL: there are no more. */
const char	*isa_name(const struct isa *, unsigned i);
/*
 * The first that this processor, or the system for its registers, does not have; NULL: it has all
 * that can be asked for.
 */
const char	*isa_missing(const struct isa *);

#endif
