/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DERIVE_CLANG_PARTS_H
#define ASSAY_CLIENT_DERIVE_CLANG_PARTS_H

#include <clang-c/Index.h>

#include "client/derive/derived.h"

/* What the files clang_*.c share. */
enum { CLANG_MAX_LOOPS = 16, CLANG_MAX_DEPTH = 200 };

struct clang_loop {
	CXCursor	variable;
	struct poly	first, last;		/* its least and largest value */
};

struct clang_reader {
	struct derived		*to;
	CXCursor		 params[PROTOTYPE_MAX_PARAMS];
	CXCursor		 body;
	struct clang_loop	 loops[CLANG_MAX_LOOPS];
	size_t			 nloops;
	unsigned		 depth;
	unsigned		 searches;	/* of the whole body */
	unsigned		 pointers;	/* local ones that are followed */
};

/* Children, terminated by a null cursor.  Owned by the caller. */
CXCursor	*clang_children(CXCursor, size_t *n);
/* Without parentheses and casts. */
CXCursor	 clang_plain(CXCursor);
/* The parameter that an expression names; nparams: none. */
size_t		 clang_param(const struct clang_reader *, CXCursor);

/* The largest or least value of an integer expression within the loops around it. */
struct poly	 clang_extreme(struct clang_reader *, CXCursor, bool largest);

/* What the routine's body does with its parameters. */
void		 clang_walk(struct clang_reader *);

#endif
