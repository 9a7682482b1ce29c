/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_BRIEF_H
#define ASSAY_DAEMON_QUEUE_BRIEF_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/queue/spec_hash.h"
#include "proto/spec/spec.h"
#include "proto/wire/msg.h"

/*
 * The part of a job's document that the daemon needs from intake to result.  The document is
 * decoded once, when it comes in; afterwards workers get the text from the store.
 */
struct brief_shared {			/* by jobs of one call with one spec */
	unsigned	 refs;
	int64_t		 spec_id;	/* its row in the store */
	char		*text;		/* owned; the spec */
	char		*sweep_name;	/* owned; NULL: no sweep */
	char		*routine;	/* owned; its name */
	json_t		*params;	/* owned reference; NULL: none */
	double		 flops_count, bytes_count;	/* per call; 0: no formula */
	struct timing	 timing;	/* for the choice of the estimator */
	bool		 is_cold;	/* spec_is_cold */
	char		 hash[SPEC_HASH_BYTES];	/* of the spec */
};

struct brief {
	struct brief_shared *shared;	/* a reference; NULL: the document could not be read */
	char		*name;		/* owned; the variant's; "" */
	/* owned; name of the other variant of a comparison; NULL: none */
	char		*against;
	json_t		*flags, *meta;	/* owned references; NULL: none */
	unsigned	 build_timeout_ms, run_timeout_ms;
	char		*unreadable;	/* owned; the reason if it could not be read, or NULL */
	char		*rest;		/* owned; the document without its spec; NULL: the store has
					 * it */
};

/* doc: the document of `job`.  The first reference is the caller's; NULL: out of memory. */
struct brief_shared *brief_share(const struct job *, const json_t *doc, int64_t spec_id,
		    const char *text, const char *sweep_name);
void		 brief_unshare(struct brief_shared *);		/* one reference; NULL is fine */

/* Takes `rest` even if it fails.  ST_NOMEM: nothing to release. */
enum status	 brief_make(struct brief *, const struct job *, const json_t *doc,
		    struct brief_shared *, char *rest);
void		 brief_release(struct brief *);			/* a zeroed one is fine */

#endif
