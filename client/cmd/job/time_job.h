/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_TIME_JOB_H
#define ASSAY_CLIENT_CMD_JOB_TIME_JOB_H

#include <jansson.h>

#include "client/print/cli.h"

enum { TIME_BUILD_OPTIONS = 7, TIME_SHARED_OPTIONS = TIME_BUILD_OPTIONS + 5 };

/*
 * Options about a job on the command line of `assay time`.  NULL, -1 and empty lists: as in the
 * spec.
 */
struct time_choice {
	struct cli_list	 defines, params, flags;	/* flags: words of the compiler */
	struct cli_list	 with, includes, libraries;	/* files and folders beside a source */
	struct cli_list	 new_params;			/* of params: absent from the file */
	const char	*compiler, *context, *reference, *name, *flush, *clock, *layout, *trust;
	const char	*readers;			/* a visibility */
	int64_t		 samples, calls, layouts, copies;
	bool		 difference;
	bool		 stored;	/* a stored result of the same will do */
	double		 interval;			/* 0: as in the spec */
	double		 race_ns;			/* below 0: as in the file */
};
#define TIME_AS_SPECIFIED	{ .samples = -1, .calls = -1, .layouts = -1, \
	.copies = -1, .race_ns = -1 }

/*
 * Options for building and timing that several commands have: TIME_SHARED_OPTIONS of them into
 * `to`.
 */
void		 time_job_options(struct time_choice *, struct cli_option *to);
/* The first of them, for building alone: TIME_BUILD_OPTIONS. */
void		 time_job_build_options(struct time_choice *, struct cli_option *to);
void		 time_job_release(struct time_choice *);

/*
 * A spec or a whole job, from a file, as an object with "spec", with the choice put in.  New
 * reference.  `notes` gets remarks for the user, at most `bytes`; "": none.
 */
enum status	 time_job_base(struct time_choice *, const char *path, json_t **base,
		    char *notes, size_t bytes, struct fault *);

/* A command that is about a time wants a new one, unless the choice says otherwise. */
void		 time_job_renew(const struct time_choice *, json_t *base);

/* The base with a variant: of a file, or its own (NULL).  New reference; the base is unchanged. */
enum status	 time_job_make(const struct time_choice *, const json_t *base,
		    const char *variant_path, json_t **job, struct fault *);

/*
 * Each name that -p and -D give names something in the base and the variants of its jobs, a list;
 * else ST_BAD_REQUEST.
 */
enum status	 time_job_check(const struct time_choice *, const json_t *base,
		    const json_t *variants, struct fault *);

/* "cold", or bytes to flush, as a spec has them; a new reference. */
enum status	 time_job_context(const char *text, json_t **context, struct fault *);

#endif
