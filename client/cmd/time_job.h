/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TIME_JOB_H
#define ASSAY_CLIENT_CMD_TIME_JOB_H

#include <jansson.h>

#include "client/print/cli.h"

enum { TIME_SHARED_OPTIONS = 9 };

/*
 * What `assay time` may say on its command line about a job; NULL, -1 and empty lists: as the spec
 * has it.
 */
struct time_choice {
	struct cli_list	 defines, params, flags;	/* NAME=VALUE, NAME=VALUE, words of compiler
							 * flags */
	const char	*compiler, *context, *reference, *name, *flush, *clock, *layout, *trust;
	int64_t		 samples, calls, layouts;
	bool		 difference;
	double		 interval;			/* 0: as the spec has it */
};
#define TIME_AS_SPECIFIED	{ .samples = -1, .calls = -1, .layouts = -1 }

/*
 * Those options that say how variants are built and timed, whatever for; TIME_SHARED_OPTIONS of
 * them into `to`.
 */
void		 time_job_options(struct time_choice *, struct cli_option *to);
void		 time_job_release(struct time_choice *);

/*
 * A spec or a whole job, from a file, with what was chosen put into its spec: { "spec": …, … }.
 * `notes` (at most `bytes`) gets what the user should know but that is no error, "" nothing.  New
 * reference.
 */
enum status	 time_job_base(const struct time_choice *, const char *path, json_t **base,
		    char *notes, size_t bytes, struct fault *);

/* The base with a variant: of a file, or (NULL) its own.  New reference; *base is left as it is. */
enum status	 time_job_make(const struct time_choice *, const json_t *base,
		    const char *variant_path, json_t **job, struct fault *);

#endif
