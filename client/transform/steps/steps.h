/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_STEPS_STEPS_H
#define ASSAY_CLIENT_TRANSFORM_STEPS_STEPS_H

#include "client/transform/steps/loops.h"

/*
 * The steps of a script.  Each changes trees; whether the result computes the same is decided
 * afterwards, by legality_check.  A step itself refuses only what it cannot do.
 */
struct step_args {
	const struct script_step	 *step;
	const char			 *words[SCRIPT_MAX_ITEMS];	/* of the text */
	size_t				  nwords;
	const char			 *names[SCRIPT_MAX_ITEMS];	/* the first word's items */
	size_t				  nnames;
	int64_t				  numbers[SCRIPT_MAX_ITEMS];	/* the last word's */
	size_t				  nnumbers;
	const char			 *text;		/* all of it, parameters filled in */
};

extern const char *const	 step_words[];		/* NULL-terminated */

/* Constants first: they are put in before the nests are looked at. */
enum status	 steps_constants(struct work *, struct fault *);
/*
 * The first `n` steps of the script, on work that is fresh from work_init.  The dataflow is checked
 * before the last of them that unroll or hint: these leave the order as it is.
 */
enum status	 steps_apply(struct work *, size_t n, struct fault *);
/* How many of the steps are before that check: the last ones leave a proof as it is. */
size_t		 steps_to_prove(const struct script *, size_t n);
/* The step changes trees or what is known of them. */
bool		 steps_may_fail(const struct script_step *);

enum status	 step_tile(struct work *, const struct step_args *, struct fault *);
enum status	 step_swap(struct work *, const struct step_args *, struct fault *);
enum status	 step_fission(struct work *, const struct step_args *, struct fault *);
enum status	 step_fuse(struct work *, const struct step_args *, struct fault *);
enum status	 step_unroll(struct work *, const struct step_args *, struct fault *);
enum status	 step_jam(struct work *, const struct step_args *, struct fault *);
enum status	 step_copy(struct work *, const struct step_args *, struct fault *);
enum status	 step_private(struct work *, const struct step_args *, struct fault *);
enum status	 step_scratch(struct work *, const struct step_args *, struct fault *);
enum status	 step_restrict(struct work *, const struct step_args *, struct fault *);
enum status	 step_pragma(struct work *, const struct step_args *, struct fault *);

/* An integer like another one, with a fresh name made of its name and an ending. */
struct symbol	*step_new_counter(struct work *, const struct symbol *like, const char *ending);

#endif
