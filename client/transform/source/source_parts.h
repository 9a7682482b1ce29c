/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_SOURCE_SOURCE_PARTS_H
#define ASSAY_CLIENT_TRANSFORM_SOURCE_SOURCE_PARTS_H

#include <clang-c/Index.h>

#include "client/transform/source/source.h"

/* Between the files that read a source: a cursor of libclang → symbol, term, node. */
struct declared {
	CXCursor	 cursor;
	struct symbol	*symbol;
};

struct reader {
	struct source	*source;
	struct declared	*declared;	/* of the arena */
	size_t		 ndeclared;
	unsigned	 nloops;	/* around the statement that is read */
};

struct cursors {
	CXCursor	*at;		/* of the arena */
	size_t		 n;
};

struct cursors	 source_children(struct reader *, CXCursor);
struct place	 source_place(CXCursor);
unsigned	 source_end(CXCursor);			/* offset behind it */
const char	*source_text(struct reader *, unsigned from, unsigned to);
/* Takes the string. */
const char	*source_string(struct reader *, CXString);
void		 source_add_problem(struct reader *, struct place, const char *fmt, ...)
		    __attribute__((format(printf, 3, 4)));

struct symbol	*source_symbol(struct reader *, CXCursor declaration);
struct term	*source_term(struct reader *, CXCursor);
struct node	*source_block(struct reader *, CXCursor statement);

#endif
