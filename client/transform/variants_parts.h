/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_VARIANTS_PARTS_H
#define ASSAY_CLIENT_TRANSFORM_VARIANTS_PARTS_H

#include <isl/ctx.h>

#include "client/transform/variants.h"

/* Between the files that make variants: one source, and what was made of it so far. */
struct making {
	const struct variants_request	*request;
	struct arena			*arena;		/* owned */
	struct source			 source;
	struct script			 script;
	isl_ctx				*ctx;		/* owned */
	struct constant			*known;
	size_t				 nknown;
	json_t				*variants, *refused;	/* owned */
	struct fault			 first;		/* of the refused points */
	const char			*proved;	/* steps of the last point; NULL: none */
};

/* Work that no step was done to yet. */
void		 variants_start_work(const struct making *, struct work *);
/* The first `n` steps; checked after each, or after the last only. */
enum status	 variants_run_steps(struct work *, size_t n, struct fault *);
/* A variant that these steps made, under a name; the point is taken. */
void		 variants_add(struct making *, struct work *, const char *name, json_t *point);

/* Variants without a script, of steps that the nest itself suggests. */
enum status	 explore_make(struct making *, struct fault *);

#endif
