/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_OBJECTS_H
#define ASSAY_WORKER_TRIAL_OBJECTS_H

#include "proto/spec/spec.h"
#include "proto/wire/msg.h"
#include "worker/plan/layout.h"

/* Paths in the cache of a job's objects; "": it has no such object. */
struct objects {
	char	driver[4096], variant[4096], reference[4096], against[4096], metric[4096];
	/* the variant behind a pad; the first is not used */
	char	padded[LAYOUT_PADS][4096];
};

/* false: one of them is no longer there. */
bool		 objects_find(struct objects *, const struct job *, const struct artifacts *,
		    const char *cache_dir);

/* One of them at least is large: worker/bench/bay.h. */
bool		 objects_are_linked(const struct objects *);

#endif
