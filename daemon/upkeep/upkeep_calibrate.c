/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flush area: one size after the other, until the time stops rising or there is no larger size.
 * If a size cannot be had (memory), growing ends; the sizes before count if there are enough.
 *
 * Then all sizes are timed again, in rounds: a host that is busy for a second slows some sizes, but
 * hardly the same ones each time.  Disturbances only add time, so a size's time is the least of its
 * medians.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "daemon/setup/topology.h"
#include "daemon/upkeep/upkeep_impl.h"
#include "daemon/upkeep/yardstick.h"
#include "proto/base/clock.h"

enum { ROUNDS = 5, IN_FORCE = 5 };
#define UNKNOWN_CACHE	((uint64_t)32 << 20)	/* if hwloc reports none */
#define MOST_BYTES	((uint64_t)4 << 30)	/* the most that a job may ask for */

static uint64_t
largest_cache(const struct upkeep *u)
{
	uint64_t	bytes = topology_largest_cache(u->env.topology);

	return bytes != 0 ? bytes : UNKNOWN_CACHE;
}

/* A quarter of the memory at most. */
static uint64_t
size_at(const struct upkeep *u, size_t i)
{
	uint64_t	most = MOST_BYTES;
	struct sysinfo	info;

	if (sysinfo(&info) == 0 && (uint64_t)info.totalram * info.mem_unit / 4 < most)
		most = (uint64_t)info.totalram * info.mem_unit / 4;
	return knee_size(largest_cache(u), most, i);
}

/* The largest cache, or more by the paper's rule for low associativity (W26). */
static uint64_t
least_bytes(const struct upkeep *u)
{
	const struct topology	*t = u->env.topology;
	const uint64_t		 of[] = { knee_least_bytes(t->l1_bytes, t->l1_ways),
				     knee_least_bytes(t->l2_bytes, t->l2_ways),
				     knee_least_bytes(t->l3_bytes, t->l3_ways) };
	uint64_t		 least = largest_cache(u);

	for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++)
		least = of[i] > least ? of[i] : least;
	return least;
}

static json_t *
points_json(const struct upkeep *u, const struct knee *k)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < u->points; i++)
		(void)json_array_append_new(list, json_pack("{s:I, s:f, s:f, s:I}", "bytes",
		    (json_int_t)u->point[i].bytes, "time_ns", u->point[i].time_ns, "coldness",
		    knee_coldness(k, u->point[i].time_ns), "job", (json_int_t)u->point_job[i]));
	return list;
}

/* ---- the task ---- */

/* The size for a job after the first round: from the largest to the least, then back, and so on. */
static size_t
index_at(const struct upkeep *u, size_t step)
{
	size_t	k = (step - u->grown) % u->points;

	return (step - u->grown) / u->points % 2 == 0 ? u->points - 1 - k : k;
}

static json_t *
next_job(struct upkeep *u, size_t step)
{
	if (step == 0) {
		u->points = u->grown = 0;
		u->at_limit = false;
		u->calibration_failed[0] = '\0';
	}
	return yardstick_job_flushed(u->grown == 0 ? size_at(u, u->points) :
	    u->point[index_at(u, step)].bytes);
}

/* Is a larger size needed? */
static bool
wants_larger(const struct upkeep *u)
{
	struct knee	k;

	knee_find(&k, u->point, u->points);
	return !u->at_limit && size_at(u, u->points) != 0 && u->points < KNEE_MAX_POINTS &&
	    !knee_is_settled(&k, largest_cache(u), u->point[u->points - 1].bytes);
}

/* A size for the first time; ns 0: neither it nor a larger size can be had. */
static enum status
grow(struct upkeep *u, size_t step, int64_t job, double ns, struct fault *why)
{
	if (ns > 0) {
		u->point[u->points] = (struct knee_point){ size_at(u, u->points), ns };
		u->point_job[u->points++] = job;
	} else {
		u->at_limit = true;
	}
	if (!wants_larger(u))
		u->grown = step + 1;
	if (u->grown != 0 && u->points < KNEE_POINTS)
		return fault_set(why, ST_INTERNAL,
		    "there is memory for only %zu sizes: too few for a curve", u->points);
	return ST_OK;
}

/*
 * A size once more.  After the last round the curve is more precise, and may need larger sizes
 * after all.
 */
static enum status
repeat(struct upkeep *u, size_t step, int64_t job, double ns, bool *more)
{
	size_t	i = index_at(u, step);

	if (ns < u->point[i].time_ns) {
		u->point[i].time_ns = ns;
		u->point_job[i] = job;
	}
	if (step + 1 < u->grown + (ROUNDS - 1) * u->points)
		return ST_OK;
	if ((*more = wants_larger(u)))
		u->grown = 0;
	return ST_OK;
}

static enum status
took(struct upkeep *u, size_t step, const struct news *n, bool *more, struct fault *why)
{
	double		ns;
	enum status	st = upkeep_value(n, &ns, why);

	*more = true;
	if (u->grown == 0 && (st == ST_OK || u->points >= KNEE_POINTS))
		return grow(u, step, n->job_id, ns, why);
	return st != ST_OK ? st : repeat(u, step, n->job_id, ns, more);
}

/* 0: the default is as good. */
static uint64_t
choose(const struct upkeep *u, const struct knee *k)
{
	uint64_t	bytes = u->point[k->at].bytes, least = least_bytes(u);

	if (k->kind == KNEE_FLAT)
		return 0;
	return bytes > least ? bytes : least;
}

static json_t *
describe(const struct upkeep *u, const struct knee *k, uint64_t bytes)
{
	static const char *const	words[KNEE_NKINDS] = {
		[KNEE_FOUND] = "larger areas make it no slower",
		[KNEE_FLAT] = "no size makes it slower than the least: the default stays",
		[KNEE_RISING] = "the time still rises at the largest size that was tried, "
		"which is taken",
	};
	json_t	*o = json_pack("{s:f, s:s, s:s, s:s, s:s, s:f, s:f, s:I, s:o}", "taken",
		    clock_wall_s(), "outcome", knee_name(k->kind), "words", words[k->kind],
		    "kernel", yardstick_words(YARDSTICK_COLD), "machine", u->machine, "base_ns",
		    k->base_ns, "plateau_ns", k->plateau_ns, "least_bytes",
		    (json_int_t)least_bytes(u), "points", points_json(u, k));
	json_t	*host = topology_report(u->env.topology);

	(void)json_object_set(o, "caches", json_object_get(host, "caches"));
	json_decref(host);
	(void)json_object_set_new(o, "knee_bytes", k->kind == KNEE_FOUND ?
	    json_integer((json_int_t)u->point[k->at].bytes) : json_null());
	(void)json_object_set_new(o, "flush_bytes",
	    bytes != 0 ? json_integer((json_int_t)bytes) : json_null());
	return o;
}

/*
 * Load from the store.  Other busy users of this host's cache leave less of it to flush, so the
 * largest area of the last few is in force.
 */
void
upkeep_load_calibration(struct upkeep *u)
{
	struct fault	 why;
	uint64_t	 bytes;
	json_t		*doc;
	enum status	 st = store_calibration(u->env.store, u->machine, IN_FORCE,
			    &bytes, &doc, &why);

	if (st == ST_OK) {
		json_decref(u->calibration);
		u->calibration = doc;
		u->flush_bytes = bytes;
		dispatch_use_flush(u->env.dispatch, bytes);
	} else if (st != ST_NOT_FOUND) {
		log_warn("upkeep=calibration %s", why.text);
	}
}

static void
end(struct upkeep *u)
{
	struct knee	 k;
	struct fault	 why;
	uint64_t	 bytes;
	json_t		*doc;

	knee_find(&k, u->point, u->points);
	bytes = choose(u, &k);
	doc = describe(u, &k, bytes);
	log_info("upkeep=calibration outcome=%s flush=%" PRIu64 " points=%zu", knee_name(k.kind),
	    bytes, u->points);
	if (store_add_calibration(u->env.store, u->machine, clock_wall_s(), bytes, doc,
	    &why) != ST_OK)
		log_error("upkeep=calibration is not stored: %s", why.text);
	json_decref(doc);
	upkeep_load_calibration(u);
	(void)upkeep_start(u, &upkeep_yardstick_task, &why);
}

const struct upkeep_task	upkeep_calibration_task = { "calibration", next_job, took, end };

enum status
upkeep_calibrate(struct upkeep *u, struct fault *why)
{
	return upkeep_start(u, &upkeep_calibration_task, why);
}

/* ---- reports ---- */

uint64_t
upkeep_flush_bytes(const struct upkeep *u)
{
	return u->flush_bytes;
}

json_t *
upkeep_calibration(const struct upkeep *u)
{
	bool		 running = u->task == &upkeep_calibration_task;
	struct knee	 k;
	json_t		*o = json_object();

	knee_find(&k, u->point, running ? u->points : 0);
	(void)json_object_set_new(o, "running", json_boolean(running));
	(void)json_object_set_new(o, "flush_bytes",
	    u->flush_bytes != 0 ? json_integer((json_int_t)u->flush_bytes) : json_null());
	(void)json_object_set_new(o, "failed", u->calibration_failed[0] != '\0' ?
	    json_string(u->calibration_failed) : json_null());
	(void)json_object_set_new(o, "progress", running ? points_json(u, &k) : json_null());
	(void)json_object_set(o, "last", u->calibration != NULL ? u->calibration : json_null());
	return o;
}
