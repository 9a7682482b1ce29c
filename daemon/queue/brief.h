/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_BRIEF_H
#define ASSAY_DAEMON_QUEUE_BRIEF_H

#include <stddef.h>
#include <stdint.h>

#include "proto/spec/spec.h"
#include "proto/wire/msg.h"

/*
 * What the daemon needs of a job's document from intake to its result.  The document is decoded
 * once, when it comes in; afterwards it is a text that goes to workers as the store has it.
 */
struct brief_shared {			/* by jobs that came together and have one spec */
	unsigned	 refs;
	int64_t		 spec_id;	/* its row in the store */
	char		*text;		/* owned; the spec */
	char		*sweep_name;	/* owned; NULL: no sweep */
	char		*routine;	/* owned; its name */
	json_t		*params;	/* owned reference; NULL: none */
	double		 flops_count, bytes_count;	/* per call; 0: no formula */
	struct timing	 timing;	/* what the estimator follows from */
};

struct brief {
	struct brief_shared *shared;	/* a reference; NULL: the document could not be read */
	char		*name;		/* owned; the variant's; "" */
	char		*against;	/* owned; name of what it is compared with; NULL: nothing */
	json_t		*flags, *meta;	/* owned references; NULL: none */
	unsigned	 build_timeout_ms, run_timeout_ms;
	char		*unreadable;	/* owned; why it could not be read; NULL: it could */
	char		*rest;		/* owned; the document without its spec; NULL: the store has
					 * it */
};

/*
 * `doc` is what `job` was decoded from.  The first reference is the caller's; NULL: out of memory.
 */
struct brief_shared *brief_share(const struct job *, const json_t *doc, int64_t spec_id,
		    const char *text, const char *sweep_name);
void		 brief_unshare(struct brief_shared *);		/* one reference; NULL is fine */

/* Takes `rest` even if it fails.  ST_NOMEM: nothing to release. */
enum status	 brief_make(struct brief *, const struct job *, const json_t *doc,
		    struct brief_shared *, char *rest);
void		 brief_release(struct brief *);			/* a zeroed one is fine */

#endif
