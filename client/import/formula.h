/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_FORMULA_H
#define ASSAY_CLIENT_IMPORT_FORMULA_H

#include "client/import/foreign.h"
#include "client/import/macros.h"

/*
 * An expression of C → one of a spec (proto/text/expr.h).  Names are looked up, also those that
 * begin with $: each is replaced by what it stands for.  Numbers lose their suffixes, macros are
 * expanded.  Casts, sizeof, shifts and other calls than min, max, pow, log2, ceil and floor are
 * refused.
 */

/*
 * What a name stands for: an expression, owned by the caller.  ST_NOT_FOUND, without a fault: it is
 * unknown.
 */
typedef enum status formula_name_fn(void *arg, struct span name, char **text, struct fault *);

struct formula_names {
	const struct macros	*macros;	/* borrowed; NULL: none */
	formula_name_fn		*find;
	void			*arg;
	const char		*known;		/* "argument or macro", for the fault */
};

/* An expression that is sound, owned by the caller. */
enum status	 formula_read(const struct foreign *, struct span, const struct formula_names *,
		    char **text, struct fault *);
/* "1" and "-0.5" as numbers, other expressions as texts.  New reference. */
json_t		*formula_json(const char *text);
/* It is one number, with or without a sign. */
bool		 formula_is_number(struct span);

#endif
