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
	char		name[16];		/* in symbolic values */
};

struct clang_reader {
	struct derived		*to;
	CXCursor		 params[PROTOTYPE_MAX_PARAMS];
	CXCursor		 body;
	struct clang_loop	 loops[CLANG_MAX_LOOPS];
	size_t			 nloops;
	unsigned		 depth;
	bool			 is_symbolic;	/* loops' variables have names, not extremes */
	unsigned		 searches;	/* of the whole body */
	unsigned		 pointers;	/* local ones that are followed */
};

/* Children, terminated by a null cursor.  Owned by the caller. */
CXCursor	*clang_children(CXCursor, size_t *n);
/* Without parentheses and casts. */
CXCursor	 clang_plain(CXCursor);
/* The parameter that an expression names; nparams: none. */
size_t		 clang_param(const struct clang_reader *, CXCursor);

/* How often the body puts something into a variable; many, if it is too long to look. */
unsigned	 clang_changes(struct clang_reader *, CXCursor body, CXCursor variable);
/* int i = a; or i = a: the variable of a for loop, and what it begins with. */
bool		 clang_loop_start(CXCursor, CXCursor *variable, CXCursor *value);
/* The value is known when the program is compiled. */
bool		 clang_is_constant(CXCursor);

/* The type of a parameter, or of a result.  NULL, or what is wrong with it. */
const char	*clang_read_type(CXType, struct derived_param *);

/* Of T a[][n], where n is known once the routine runs: its expression.  The body is known. */
void		 clang_read_lengths(struct clang_reader *, size_t param);

/* The largest or least value of an integer expression within the loops around it. */
struct poly	 clang_extreme(struct clang_reader *, CXCursor, bool largest);

/*
 * The last value of a loop's variable that its condition admits, at its extreme in the loops
 * around: i < n, n > 2*i, i + k <= n && more.  *is_lower: it is the least one; before, whether a !=
 * ends a loop that goes down.
 */
struct poly	 clang_bound(struct clang_reader *, CXCursor condition, CXCursor variable,
		    bool *is_lower);

/* What the routine's body does with its parameters. */
void		 clang_walk(struct clang_reader *);
/* How many floating-point operations the body has. */
void		 clang_count_flops(struct clang_reader *);

#endif
