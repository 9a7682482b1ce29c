/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_H

#include <jansson.h>

#include "worker/build/recipe/compile.h"
#include "worker/build/recipe/direct.h"
#include "worker/build/recipe/recipe.h"
#include "worker/build/split/split.h"
#include "worker/cache/cache.h"

/*
 * Units: variants that differ in macros alone are compiled together, in one file that has the
 * source once for each, under a name of its own.  So are programs of plain assembly.  Each variant
 * gets a shared object with nothing but its own code, which goes into the cache under the variant's
 * name.  Where that cannot be had, each is built alone, and so gets its own diagnostics.
 */
struct units;

enum {
	UNIT_MOST = SPLIT_MOST,
	/* of a source, a compiler and flags: */
	UNIT_CHECKED = 8,	/* one variant of the first unit, and of each eighth behind it, is
				 * built alone, too */
	UNIT_FAILURES = 3,	/* in a row, after which all are built alone */
	UNIT_WALL_MS = 5000,
};

struct unit_means {			/* all borrowed */
	struct cache			*cache;
	const struct scratch		*scratch;
	struct direct			*direct;
	const struct recipe_means	*recipes;
	struct compile			 where;	/* the jail's place */
};

enum status	 units_new(struct units **, struct fault *);
void		 units_free(struct units *);

/*
 * Have objects in the cache for this recipe of the job's variant, and for those of `company`, job
 * documents, that can be built with it.  Nothing of that is certain.  ST_CANCELLED; otherwise
 * ST_OK.
 */
enum status	 units_try(struct units *, const struct unit_means *, const struct job *,
		    const struct recipe *, const struct hash *, const json_t *company);

/* How an object was made lately. */
struct unit_made {
	unsigned	 n;		/* variants in its unit; 0: it comes from no unit */
	double		 ms;		/* its share of the time */
};
/* Once for each object. */
struct unit_made units_claim(struct units *, const struct hash *);

/* Has the code of such a variant differed from that of a lone build? */
bool		 units_differ(const struct units *, const struct job *);

#endif
