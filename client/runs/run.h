/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_RUNS_RUN_H
#define ASSAY_CLIENT_RUNS_RUN_H

#include "proto/wire/result.h"

/*
 * One run of a set of variants: the results of a sweep, of which only what a comparison needs is
 * kept.  Yardsticks are left out.
 */
enum run_kind {
	RUN_TIMED,		/* ok, with a time */
	RUN_RACED,		/* given up: it takes longer than bound_ns */
	RUN_FAILED,		/* the variant's fault */
	RUN_OTHER,		/* says nothing of the variant: cancelled, too_noisy, internal, … */
};

struct run_item {
	enum run_kind	 kind;
	int64_t		 job;
	char		*name, *routine;	/* owned */
	const char	*status;		/* static */
	char		*context, *estimator;	/* owned; NULL: not timed */
	json_t		*params, *meta;		/* owned; NULL: none */
	double		 value_ns, bound_ns;
	/* owned; logarithms of the processes' times in ns, by the result's own estimator */
	double		*log_ns;
	size_t		 n;
	char		*key;			/* owned; set by pairs_make */
};

struct run {
	const char	*label;			/* borrowed; the sweep, or the file */
	struct run_item	*at;			/* owned; in the order in which they landed */
	size_t		 n, room;
	json_t		*hosts, *fitness;	/* owned; each class and hash as a member */
	size_t		 yardsticks;
};

void		 run_init(struct run *, const char *label);
void		 run_release(struct run *);	/* after run_init, or of zeroed memory */
/* Keeps what is needed of a result's document.  ST_IO: it is none.  ST_NOMEM. */
enum status	 run_add(struct run *, const json_t *document, struct fault *);
/* A file of lines, as assay export --format ndjson writes it.  ST_BAD_REQUEST names the line. */
enum status	 run_read_file(struct run *, const char *path, struct fault *);

#endif
