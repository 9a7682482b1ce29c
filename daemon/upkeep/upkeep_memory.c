/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last part of a calibration: the memory canary and a cold kernel, at rest and beside a
 * streamer of the daemon's own.  At rest the least of the medians counts, since disturbances only
 * add time.  Beside the streamer it is their median, since the first jobs may come before it began.
 */
#include <stdlib.h>

#include "daemon/upkeep/upkeep_impl.h"
#include "daemon/upkeep/yardstick.h"

json_t *
upkeep_memory_job(struct upkeep *u)
{
	struct upkeep_memory	*m = &u->memory;

	if (m->taken == UPKEEP_MEMORY_RESTS)
		m->streams = dispatch_stream(u->env.dispatch, true);
	return yardstick_job_memory();
}

/* From the result: the reading of the canary beside its samples; 0: none. */
static double
reading_of(const struct news *n)
{
	json_t	*doc = n->text != NULL ? json_loads(n->text, 0, NULL) : NULL;
	double	 ns = json_number_value(json_object_get(json_object_get(
		    json_object_get(doc, "evidence"), "memory"), "reading_ns"));

	json_decref(doc);
	return ns;
}

bool
upkeep_memory_took(struct upkeep *u, const struct news *n, double ns)
{
	struct upkeep_memory	*m = &u->memory;
	const double		 reading = reading_of(n);

	if (reading > 0) {
		m->reading_ns[m->taken] = reading;
		m->cold_ns[m->taken++] = ns;
	}
	if (reading > 0 && m->taken < UPKEEP_MEMORY_JOBS &&
	    (m->taken <= UPKEEP_MEMORY_RESTS || m->streams))
		return true;
	(void)dispatch_stream(u->env.dispatch, false);
	return false;
}

static int
by_size(const void *a, const void *b)
{
	const double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts them. */
static double
quantile(double *x, size_t n, size_t share)
{
	qsort(x, n, sizeof *x, by_size);
	return share == 0 ? x[0] : x[n / share];
}

json_t *
upkeep_memory_found(struct upkeep *u, struct calibrated *out)
{
	enum { LOUD = UPKEEP_MEMORY_JOBS - UPKEEP_MEMORY_RESTS };
	struct upkeep_memory	*m = &u->memory;

	if (m->taken < UPKEEP_MEMORY_JOBS)
		return json_null();
	out->memory_quiet_ns = quantile(m->reading_ns, UPKEEP_MEMORY_RESTS, 0);
	out->cold_quiet_ns = quantile(m->cold_ns, UPKEEP_MEMORY_RESTS, 0);
	out->memory_loud_ns = quantile(m->reading_ns + UPKEEP_MEMORY_RESTS, LOUD, 2);
	out->cold_loud_ns = quantile(m->cold_ns + UPKEEP_MEMORY_RESTS, LOUD, 2);
	return json_pack("{s:f, s:f, s:f, s:f}", "quiet_ns", out->memory_quiet_ns, "loud_ns",
	    out->memory_loud_ns, "cold_quiet_ns", out->cold_quiet_ns, "cold_loud_ns",
	    out->cold_loud_ns);
}
