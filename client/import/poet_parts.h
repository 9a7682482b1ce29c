/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_POET_PARTS_H
#define ASSAY_CLIENT_IMPORT_POET_PARTS_H

#include <stdint.h>

#include "client/import/macros.h"
#include "client/import/params.h"
#include "client/import/poet.h"
#include "proto/text/prototype.h"

/* What the files poet_*.c share.  Parts that are missing are empty spans with `at` NULL. */

enum poet_kind { POET_SCALAR, POET_VECTOR, POET_MATRIX, POET_ARRAY2D };

/* One statement of init. */
struct poet_item {
	enum poet_kind	 kind;
	bool		 is_static;
	struct span	 name, type;
	struct span	 sizes[2];	/* one of a vector */
	struct span	 init;
	bool		 flush;
	int64_t		 align;		/* 0: none */
	struct span	 align_at;
	size_t		 argument;	/* of the routine */
	bool		 is_resolving;	/* a scalar whose expression is being made */
	char		*text;		/* owned; a scalar's expression, when it is made */
};

enum { POET_MAX_ITEMS = PROTOTYPE_MAX_PARAMS };

struct poet {
	struct foreign		*source;	/* borrowed */
	struct span		 include, checkpoint, init, returns, flop;
	struct span		 routine;	/* up to the closing parenthesis */
	struct span		 body;		/* with its braces */
	struct prototype	 prototype;
	struct poet_item	 items[POET_MAX_ITEMS];
	size_t			 nitems;
	struct macros		 macros;	/* of include */
	struct params		 params;
	uint64_t		 seed;		/* of the generator's parameters; 0: none */
	bool			 said_random;	/* what RANDOM means here */
};

/* The sections of the text. */
enum status	 poet_read(struct poet *, struct fault *);
/* The statements of init. */
enum status	 poet_read_items(struct poet *, struct fault *);

struct poet_item *poet_item(struct poet *, struct span name);	/* NULL: there is none */
/* The argument's number; nparams: the routine has none of this name. */
size_t		 poet_argument(const struct poet *, struct span name);

/* On one line, macros without parameters expanded.  Owned by the caller. */
char		*poet_expanded(const struct poet *, struct span);

/* "RANDOM" or "Macro(NAME, 72)" → true; `inside` gets the part in the parentheses. */
bool		 poet_is_call(struct span, const char *name, struct span *inside);

/* Params of all macros. */
enum status	 poet_add_macros(struct poet *, struct fault *);
/* An expression over scalars and macros.  Owned by the caller. */
enum status	 poet_formula(struct poet *, struct span, char **text, struct fault *);
/* The value of a scalar argument.  New reference. */
enum status	 poet_scalar(struct poet *, struct poet_item *, json_t **, struct fault *);
/* An operand, or null.  New reference. */
enum status	 poet_operand(struct poet *, struct poet_item *, json_t **, struct fault *);

/* The generator's parameters → members of the spec. */
enum status	 poet_parameters(struct poet *, const struct cli_list *, json_t *spec,
		    struct fault *);
/* Of these, what cannot be is left out with a remark, or refused.  The spec has its context. */
enum status	 poet_settle(struct poet *, json_t *spec, struct fault *);

#endif
