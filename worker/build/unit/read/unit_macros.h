/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_MACROS_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_MACROS_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/spec/spec.h"
#include "worker/build/unit/read/unit_words.h"

/* The macros of a variant: its defines, the spec's params, and what its source defines. */
enum {
	UNIT_MACROS_MOST = 128,			/* of a source */
	UNIT_MACROS_LOOKED_AT = 256 << 10,	/* bytes of their texts, again and again; what is
						 * asked behind that has the worst answer */
};

struct unit_macros {
	const struct job	*job;				/* borrowed */
	size_t			 n;
	const char		*define[UNIT_MACROS_MOST];	/* borrowed: a source's lines, from
								 * the names on */
	size_t			 looked_at;
};

/* `clean` is the source as of unit_clean.h.  False: it defines too many. */
bool	 unit_macros_read(struct unit_macros *, const struct job *, const char *clean);
bool	 unit_macros_has(const struct unit_macros *, const char *at, size_t bytes);

/* The word is an argument of the macro that is defined here, from its name on. */
bool	 unit_is_argument(const char *define, const char *at, size_t bytes);

/* What a word may become: all macros that its text names count as well. */
struct unit_macro_marks {
	bool	is_macro;
	bool	is_loud;	/* it may end a declaration, or make a tag that outlives it */
	bool	has_comma;	/* outside of brackets: one declarator may become two */
};
struct unit_macro_marks unit_macro_marks(struct unit_macros *, const char *at, size_t bytes);

/* Is the word one of these, or may it become one? */
bool	 unit_macros_name(struct unit_macros *, const char *at, size_t bytes,
	    const struct unit_word *wanted, size_t nwanted);

#endif
