/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_BRIEF_H
#define ASSAY_DAEMON_QUEUE_BRIEF_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/queue/spec_hash.h"
#include "daemon/store/store.h"
#include "proto/spec/spec.h"
#include "proto/wire/msg.h"

/*
 * The part of a job's document that the daemon needs from its build to its result.  It is loaded
 * when a job is given to a builder, or ends before that; workers get the text as it was stored.
 */
struct brief_shared {			/* by jobs with one spec */
	unsigned	 refs;
	int64_t		 spec_id;	/* its row in the store */
	char		*text;		/* owned; the spec */
	char		*routine;	/* owned; its name */
	json_t		*params;	/* owned reference; NULL: none */
	double		 flops_count, bytes_count;	/* per call; 0: no formula */
	struct timing	 timing;	/* for the choice of the estimator */
	bool		 is_cold;	/* spec_is_cold */
	char		 hash[SPEC_HASH_BYTES];	/* of the spec */
};

struct brief {
	struct brief_shared *shared;	/* a reference */
	char		*name;		/* owned; the variant's; "" */
	/* owned; name of the other variant of a comparison; NULL: none */
	char		*against;
	char		*sweep_name;	/* owned; NULL: no sweep */
	json_t		*flags, *meta;	/* owned references; NULL: none */
	json_t		*terms;	/* owned; its other members that a time depends on */
	char		*visibility;	/* owned; as in struct row_owner */
	bool		 yardstick;	/* of its sweep: not ranked */
	bool		 fresh;	/* a stored result will not do */
	/* of jobs whose variants may be built together; 0: built alone */
	uint64_t	 alike;
	unsigned	 build_timeout_ms, run_timeout_ms;
	char		*rest;		/* owned; the document without its spec; NULL: the store has
					 * it */
};
enum { BRIEF_TEXT_BYTES = 64 << 10 };	/* a longer document stays in the store alone */

/* doc: the document of `job`.  The first reference is the caller's; NULL: out of memory. */
struct brief_shared *brief_share(const struct job *, const json_t *doc, int64_t spec_id,
		    const char *text);
void		 brief_unshare(struct brief_shared *);		/* one reference; NULL is fine */

/* rest and sweep_name (NULL: none) are copied; NULL: out of memory. */
struct brief	*brief_new(const struct job *, const json_t *doc, struct brief_shared *,
		    const char *rest, const char *sweep_name);
void		 brief_free(struct brief *);			/* NULL is fine */

/* Loads briefs; keeps the specs decoded last, because jobs of few sweeps alternate. */
enum { BRIEF_SPECS = 8 };
struct briefs {
	struct store	*store;		/* borrowed */
	struct brief_spec {
		json_t			*doc;		/* owned reference */
		struct brief_shared	*shared;	/* a reference; NULL: none yet */
	}		 spec[BRIEF_SPECS];
	unsigned	 next;		/* to be replaced */
};

void		 briefs_init(struct briefs *, struct store *);
void		 briefs_release(struct briefs *);
/* ST_BAD_SPEC: it cannot be read: an older version took it, or it is damaged. */
enum status	 briefs_load(struct briefs *, int64_t job_id, struct brief **, struct fault *);

#endif
