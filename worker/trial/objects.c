/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/bench/bay.h"
#include "worker/build/build.h"
#include "worker/cache/cache.h"
#include "worker/trial/objects.h"

static bool
find(char (*path)[4096], const char *cache_dir, const struct hash *name)
{
	return artifact_path(cache_dir, name, *path, sizeof *path);
}

static bool
find_padded(struct objects *o, const struct job *j, const struct artifacts *a,
    const char *cache_dir)
{
	struct hash	name;

	for (unsigned pad = 1; pad < LAYOUT_PADS; pad++)
		if (layout_needs_pad(j, pad) &&
		    (layout_artifact(&a->variant, pad, &name) != ST_OK ||
		    !find(&o->padded[pad], cache_dir, &name)))
			return false;
	return true;
}

bool
objects_find(struct objects *o, const struct job *j, const struct artifacts *a,
    const char *cache_dir)
{
	memset(o, 0, sizeof *o);
	return (j->spec.program.present || find(&o->driver, cache_dir, &a->driver)) &&
	    find(&o->variant, cache_dir, &a->variant) &&
	    (j->against.source == NULL || find(&o->against, cache_dir, &a->against)) &&
	    (!j->spec.check.present || find(&o->reference, cache_dir, &a->reference)) &&
	    (!j->spec.timing.metric.present || find(&o->metric, cache_dir, &a->metric)) &&
	    find_padded(o, j, a, cache_dir);
}

bool
objects_are_linked(const struct objects *o)
{
	const char *const	all[] = { o->driver, o->variant, o->reference, o->against,
				    o->metric };

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i][0] != '\0' && bay_links(all[i]))
			return true;
	for (unsigned pad = 1; pad < LAYOUT_PADS; pad++)
		if (o->padded[pad][0] != '\0' && bay_links(o->padded[pad]))
			return true;
	return false;
}
