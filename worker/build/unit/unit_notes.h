/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_NOTES_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_NOTES_H

#include "worker/build/unit/unit.h"

/*
 * What a builder has seen of units (unit.h).  Sources come and go; those whose code has differed
 * are kept for thousands of others.
 */

/* Is the job's source built alone?  And this variant? */
bool		 notes_is_off(const struct units *, const struct job *);
bool		 notes_is_alone(const struct units *, const struct hash *);

/* A variant whose unit has failed; and a unit of this source that has. */
void		 notes_alone(struct units *, const struct hash *);
void		 notes_failure(struct units *, const struct job *);
/* Its units would all fail. */
void		 notes_off(struct units *, const struct job *);

/* An object of a unit is in the cache. */
void		 notes_made(struct units *, const struct job *, const struct hash *,
		    struct unit_made);

/* Its units so far, before this one. */
unsigned	 notes_count(struct units *, const struct job *);

/* Headers that have no name of its macros; and which names. */
bool		 notes_has_headers(const struct units *, const struct job *, uint64_t headers);
void		 notes_headers(struct units *, const struct job *, uint64_t headers);

/* Its code has differed: what units have made of it leaves the cache. */
void		 notes_differs(struct units *, const struct job *, struct cache *);

#endif
