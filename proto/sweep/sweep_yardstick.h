/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SWEEP_SWEEP_YARDSTICK_H
#define ASSAY_PROTO_SWEEP_SWEEP_YARDSTICK_H

#include <jansson.h>

#include "proto/spec/spec.h"

/*
 * The yardstick of a sweep: one of its jobs, which comes before the first job, after each `every`
 * jobs, and behind the last one.  It is always timed, and its times show how the host drifts.
 */
struct sweep_yardstick {
	unsigned	 every;		/* 0: the sweep has none */
	bool		 correct;	/* its drift corrects the ranking */
	char		*variant;	/* owned; its name; NULL or "": that of the first job */
	json_t		*job;		/* owned; NULL: not known yet */
	json_t		*held;		/* owned; the job behind the yardstick; NULL: none */
	unsigned	 times, since;	/* it came; jobs since then */
	bool		 is_over;	/* it came for the last time */
};

/* It will be this job; a new reference. */
enum status	 sweep_yardstick_is(struct sweep_yardstick *, json_t *job, struct fault *);
/* If it is due before this job, *job becomes the yardstick, and the job is held. */
enum status	 sweep_yardstick_pass(struct sweep_yardstick *, const char *key, json_t **job,
		    struct fault *);
/* The yardstick; a new reference. */
enum status	 sweep_yardstick_next(struct sweep_yardstick *, const char *key, json_t **job,
		    struct fault *);
json_t		*sweep_yardstick_held(struct sweep_yardstick *);	/* owned; NULL: none */
void		 sweep_yardstick_release(struct sweep_yardstick *);

#endif
