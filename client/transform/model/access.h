/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_MODEL_ACCESS_H
#define ASSAY_CLIENT_TRANSFORM_MODEL_ACCESS_H

#include "client/transform/model/affine.h"

/* What a statement reads and writes, in the order of its text. */
struct access {
	bool		 is_write;
	struct symbol	*symbol;
	const char	*field;		/* of an array of structures; "": none */
	struct term	*subscripts[SYMBOL_MAX_DIMS];
	size_t		 n;
	struct place	 at;
	struct term	*term;
};

struct accesses {
	struct arena		*arena;		/* borrowed */
	const struct affine	*affine;	/* borrowed */
	struct access		*at;
	size_t			 n;
	const char		*problem;	/* what is not understood, and where; or NULL */
	struct place		 problem_at;
};

void	 access_collect(struct accesses *, struct term *);

#endif
