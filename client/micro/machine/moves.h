/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MACHINE_MOVES_H
#define ASSAY_CLIENT_MICRO_MACHINE_MOVES_H

#include "client/micro/machine/registers.h"

/* What a description asks for when it names bytes to be moved and no instruction. */
enum move_alignment { MOVE_ANY_ALIGNMENT, MOVE_ALIGNED, MOVE_UNALIGNED };
enum move_kind { MOVE_ANY_KIND, MOVE_VECTOR, MOVE_SCALAR };

struct move_wish {
	unsigned		bytes;		/* 1, 2, 4, 8, 16, 32, 64 */
	enum move_alignment	alignment;
	enum move_kind		kind;
};

/* A way to move them: `copies` times `operation`, each `bytes` behind the one before. */
struct move_form {
	const char		*operation;
	enum register_class	 class;
	unsigned		 bytes;		/* that one copy moves */
	unsigned		 copies;
	const char		*isa;		/* as decoded: "SSE2", "AVX512F AVX512VL" */
};

enum { MOVE_MAX_FORMS = 64, MOVE_MAX_COPIES = 16 };

/*
 * All forms on the target, widest first.  ST_BAD_SPEC: no such number of bytes, or no form is as
 * wished.  `member` is the node that the wish came from.
 */
enum status	 moves_find(const struct target *, const struct move_wish *, const char *member,
		    struct move_form forms[MOVE_MAX_FORMS], unsigned *n, struct fault *);

#endif
