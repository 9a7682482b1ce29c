/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PASS_PASSES_H
#define ASSAY_CLIENT_MICRO_PASS_PASSES_H

#include "client/micro/pass/pass.h"

/*
 * The list of passes of one description.  It starts as the nineteen of the paper; a plugin may add
 * to it, remove, replace, move and re-gate.  Names are unique.
 */
enum { PASSES_MAX = 64 };

struct passes {
	struct pass	 at[PASSES_MAX];
	size_t		 n;
};

void		 passes_init(struct passes *);		/* the nineteen */
struct pass	*passes_find(struct passes *, const char *name);	/* NULL: there is none */

/*
 * ST_NOT_FOUND: there is no pass `name`; the hint has a near one.  ST_CONFLICT: the new one's name
 * is taken.  ST_FULL: there are PASSES_MAX.
 */
enum status	 passes_insert_before(struct passes *, const char *name, const struct pass *,
		    struct fault *);
enum status	 passes_insert_after(struct passes *, const char *name, const struct pass *,
		    struct fault *);
enum status	 passes_replace(struct passes *, const char *name, const struct pass *,
		    struct fault *);
enum status	 passes_remove(struct passes *, const char *name, struct fault *);
enum status	 passes_move_after(struct passes *, const char *name, const char *after,
		    struct fault *);
enum status	 passes_set_gate(struct passes *, const char *name,
		    bool (*gate)(const struct micro *), struct fault *);

/* It runs for this description. */
bool		 pass_is_on(const struct pass *, const struct micro *);
const char	*pass_kind_word(enum pass_kind);

#endif
