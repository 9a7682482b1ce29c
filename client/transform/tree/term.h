/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_TREE_TERM_H
#define ASSAY_CLIENT_TRANSFORM_TREE_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/arena/arena.h"

/*
 * Expressions of C, as trees.  All of a tree, with its texts, lies in one arena.  Terms are never
 * changed once they are made: several trees may share them.
 */

struct place {
	unsigned	 line, column;		/* from 1; 0: nowhere */
	unsigned	 offset;		/* bytes in the file */
};

enum symbol_kind { SYMBOL_ARGUMENT, SYMBOL_LOCAL, SYMBOL_STATIC, SYMBOL_GLOBAL, SYMBOL_FUNCTION };

enum { SYMBOL_MAX_DIMS = 8 };

/* One declared name.  Two are the same exactly if they have the same address. */
struct symbol {
	const char		*name;
	enum symbol_kind	 kind;
	const char		*element;	/* type of what it is or points to, canonical */
	const char		*type;		/* of a scalar: as it is spelt */
	unsigned		 element_bytes;
	struct place		 at;
	bool			 is_pointer;	/* an array argument is one */
	bool			 is_restrict;
	bool			 is_integer;	/* no pointer, no array, an integer type */
	bool			 is_unsigned;
	bool			 is_volatile;
	bool			 is_record;	/* struct or union, or of such */
	bool			 is_made;	/* by a step */
	unsigned		 ndims;		/* subscripts down to an element */
	int64_t			 dims[SYMBOL_MAX_DIMS];	/* 0: unknown; -1: a row of pointers */
	struct term		*init;		/* of a local that is never assigned again; or
						 * NULL */
};

enum term_kind {
	TERM_INT,		/* value; text: as it was spelt, or NULL */
	TERM_TEXT,		/* another literal */
	TERM_NAME,		/* symbol */
	TERM_INDEX,		/* a[0] [a[1]] */
	TERM_UNARY,		/* op a[0] */
	TERM_POSTFIX,		/* a[0] op */
	TERM_BINARY,		/* a[0] op a[1]; assignments too */
	TERM_COND,		/* a[0] ? a[1] : a[2] */
	TERM_CALL,		/* a[0] (a[1] …) */
	TERM_CAST,		/* (text) a[0] */
	TERM_MEMBER,		/* a[0] op text */
	TERM_OPAQUE,		/* text that is not understood */
};

struct term {
	enum term_kind	 kind;
	const char	*op;
	const char	*text;
	int64_t		 value;
	struct symbol	*symbol;
	struct term	**a;
	size_t		 n;
	struct place	 at;
	bool		 is_int;		/* its type is an integer */
	bool		 is_unsigned;
};

struct term	*term_new(struct arena *, enum term_kind, size_t n);
struct term	*term_int(struct arena *, int64_t);
struct term	*term_name(struct arena *, struct symbol *);
struct term	*term_binary(struct arena *, const char *op, struct term *, struct term *);
struct term	*term_index(struct arena *, struct term *base, struct term *subscript);
/* Integers, folded: t + n, t * n. */
struct term	*term_plus(struct arena *, struct term *, int64_t);
struct term	*term_times(struct arena *, struct term *, int64_t);

/*
 * Each term of which `to` gives another is replaced, from the leaves up; integers are folded where
 * something was.  What is unchanged is shared.
 */
typedef struct term *term_map_fn(void *arg, struct term *);	/* NULL: stays */
struct term	*term_map(struct arena *, struct term *, term_map_fn *, void *arg);
struct term_replacement {
	const struct symbol	*symbol;
	struct term		*by;
};
struct term	*term_replaced(void *replacement, struct term *);	/* for term_map */
struct term	*term_replace(struct arena *, struct term *, const struct symbol *,
		    struct term *by);

/* Calls for each term, from the root down, until one returns false; false: one did. */
typedef bool	 term_visit_fn(void *arg, struct term *);
bool		 term_visit(struct term *, term_visit_fn *, void *arg);
bool		 term_uses(struct term *, const struct symbol *);
bool		 term_is_other_name(void *symbol, struct term *);	/* for term_visit */
bool		 term_is_equal(const struct term *, const struct term *);
bool		 term_is_int(const struct term *, int64_t value);
bool		 term_is_assignment(const struct term *);	/* =, +=, …, ++, -- */
bool		 term_is(const struct term *, enum term_kind, const char *op);

#endif
