/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_TRANSFORMED_H
#define ASSAY_CLIENT_CMD_JOB_TRANSFORMED_H

#include <jansson.h>

#include "client/print/cli.h"

/*
 * Variants of a C nest, made by assay-transform, a program of its own because of the compiler
 * library in it.
 */
struct transformed_request {
	const char	*source;		/* path */
	const char	*script;		/* path; NULL: steps are found for the nest */
	const char	*routine;		/* NULL: the spec's, or the one with a loop */
	const json_t	*spec;			/* NULL: no arguments have known values */
	struct cli_list	 includes;		/* folders, after the source's own */
	struct cli_list	 defines;		/* NAME=VALUE */
	struct cli_list	 values;		/* ARGUMENT=VALUE, over the spec's */
	bool		 assumes;
	bool		 any_size;		/* variants must not depend on params */
};

/*
 * Its document (client/transform/variants.h), and in `files` what the source includes.
 * New reference.
 */
enum status	 transformed_get(const struct transformed_request *, json_t **, struct fault *);

/* What the source includes in quotes, as a variant's `files`; NULL: nothing.  New reference. */
enum status	 transformed_files(const struct transformed_request *, json_t **, struct fault *);

/* The variants of that document as a sweep has them, a list.  New reference. */
json_t		*transformed_variants(const struct transformed_request *, const json_t *made);
/* The points of these variants, { PARAMETER: value } each, a list.  New reference. */
json_t		*transformed_points(const json_t *made);

#endif
