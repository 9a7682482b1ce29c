/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A calibration: the flush area of the largest cache, then those of the caches inside it, each by a
 * curve.  If the time still rises at the largest size, there is no plateau, and nothing is kept.
 * Without a knee an inner cache's area is not known; timings then read a multiple of the cache.  At
 * the end the memory canary is read beside a streamer (upkeep_memory.c).
 *
 * The jobs for the curves insist on quiet.  After a few that were too noisy the others take what
 * quiet there is: neighbours may never rest, and a plateau shows all the same.  Such a calibration
 * holds until a later one is quiet.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "daemon/setup/topology.h"
#include "daemon/upkeep/upkeep_impl.h"
#include "daemon/upkeep/yardstick.h"
#include "proto/base/clock.h"

enum { IN_FORCE = 5, MOST_NOISY = 4, NO_USE = 20 };
#define UNKNOWN_CACHE	((uint64_t)32 << 20)	/* if hwloc reports none */
#define MOST_BYTES	((uint64_t)4 << 30)	/* the most that a job may ask for */

static const char *const	level_names[UPKEEP_LEVELS] = {
	[UPKEEP_LAST] = "last", [UPKEEP_L2] = "L2", [UPKEEP_L1] = "L1"
};

static uint64_t
largest_cache(const struct upkeep *u)
{
	uint64_t	bytes = topology_largest_cache(u->env.topology);

	return bytes != 0 ? bytes : UNKNOWN_CACHE;
}

/* A quarter of the memory at most. */
static uint64_t
most_bytes(void)
{
	struct sysinfo	info;

	if (sysinfo(&info) == 0 && (uint64_t)info.totalram * info.mem_unit / 4 < MOST_BYTES)
		return (uint64_t)info.totalram * info.mem_unit / 4;
	return MOST_BYTES;
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

/* false: there is no such cache, or none larger. */
static bool
begin_level(struct upkeep *u, enum upkeep_level level)
{
	const struct topology	*t = u->env.topology;
	const uint64_t		 largest = largest_cache(u);
	const uint64_t		 cache = level == UPKEEP_LAST ? largest : level == UPKEEP_L2 ?
				    t->l2_bytes : t->l1_bytes;
	uint64_t		 next = level == UPKEEP_L1 && t->l2_bytes != 0 ? t->l2_bytes :
				    largest;

	if (level != UPKEEP_LAST && (cache == 0 || cache >= next))
		return false;
	u->level = level;
	curve_begin(&u->curve[level], cache, level == UPKEEP_LAST ? 0 : next, most_bytes());
	return true;
}

static json_t *
points_json(const struct curve *c, const struct knee *k)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < c->points; i++)
		(void)json_array_append_new(list, json_pack("{s:I, s:f, s:f, s:I}", "bytes",
		    (json_int_t)c->point[i].bytes, "time_ns", c->point[i].time_ns, "coldness",
		    knee_coldness(k, c->point[i].time_ns), "job", (json_int_t)c->job[i]));
	return list;
}

/* ---- the task ---- */

static bool
insists_on_quiet(const struct upkeep *u)
{
	return u->noisy <= MOST_NOISY;
}

static json_t *
next_job(struct upkeep *u, size_t step)
{
	const struct curve	*c;

	if (step == 0) {
		memset(u->curve, 0, sizeof u->curve);
		u->memory = (struct upkeep_memory){ .taken = 0 };
		u->noisy = 0;
		(void)begin_level(u, UPKEEP_LAST);
		u->calibration_failed[0] = '\0';
	}
	if (u->level == UPKEEP_LEVELS)
		return upkeep_memory_job(u);
	c = &u->curve[u->level];
	return u->level == UPKEEP_LAST ?
	    yardstick_job_flushed(curve_next_bytes(c), insists_on_quiet(u)) :
	    yardstick_job_walk(c->cache_bytes, curve_next_bytes(c), insists_on_quiet(u));
}

/*
 * The last curve is over: go on with the next cache, if there is a plateau for all of them; then
 * with memory.
 */
static enum status
next_level(struct upkeep *u, struct fault *why)
{
	const struct curve	*c = &u->curve[UPKEEP_LAST];
	enum upkeep_level	 level = u->level;
	struct knee		 k;

	knee_find(&k, c->point, c->points);
	if (k.kind == KNEE_RISING)
		return fault_set(why, ST_INTERNAL, "the time still rises after reading %" PRIu64
		    " MiB, the largest size that was tried", c->point[c->points - 1].bytes >> 20);
	while (++level < UPKEEP_LEVELS)
		if (begin_level(u, level))
			return ST_OK;
	u->level = UPKEEP_LEVELS;
	return ST_OK;
}

static enum status
took(struct upkeep *u, size_t step, const struct news *n, bool *more, struct fault *why)
{
	struct curve	*c = &u->curve[u->level < UPKEEP_LEVELS ? u->level : UPKEEP_LAST];
	double		 ns;
	enum status	 st = upkeep_value(n, &ns, why);

	(void)step;
	*more = true;
	if (st != ST_OK && n->outcome == ST_TOO_NOISY)
		return ++u->noisy <= NO_USE ? ST_OK : st;
	if (u->level == UPKEEP_LEVELS) {
		*more = st == ST_OK && upkeep_memory_took(u, n, ns);
		return st;
	}
	if (st != ST_OK && (c->grown != 0 || c->points < KNEE_POINTS))
		return st;
	if ((st = curve_take(c, n->job_id, ns, more, why)) != ST_OK || *more)
		return st;
	*more = true;
	return next_level(u, why);
}

/* 0: the default is as good. */
static uint64_t
choose_last(const struct upkeep *u, const struct knee *k)
{
	uint64_t	bytes, least = least_bytes(u);

	if (k->kind != KNEE_FOUND)
		return 0;
	bytes = u->curve[UPKEEP_LAST].point[k->at].bytes;
	return bytes > least ? bytes : least;
}

/* 0: not known. */
static uint64_t
choose_inner(const struct curve *c, struct knee *k)
{
	knee_find(k, c->point, c->points);
	if (k->kind != KNEE_FOUND)
		return 0;
	return c->point[k->at].bytes > c->cache_bytes ? c->point[k->at].bytes : c->cache_bytes;
}

static json_t *
size_json(uint64_t bytes)
{
	return bytes != 0 ? json_integer((json_int_t)bytes) : json_null();
}

/* { L1: { outcome, flush_bytes, points }, … } of the caches that have a curve. */
static json_t *
inner_json(const struct upkeep *u, struct calibrated *out)
{
	json_t	*o = json_object();

	for (enum upkeep_level level = UPKEEP_L2; level < UPKEEP_LEVELS; level++) {
		const struct curve	*c = &u->curve[level];
		struct knee		 k;
		const uint64_t		 bytes = choose_inner(c, &k);

		*(level == UPKEEP_L2 ? &out->l2_bytes : &out->l1_bytes) = bytes;
		if (c->points != 0)
			(void)json_object_set_new(o, level_names[level],
			    json_pack("{s:s, s:o, s:o}", "outcome", knee_name(k.kind),
			    "flush_bytes", size_json(bytes), "points", points_json(c, &k)));
	}
	return o;
}

static json_t *
describe(struct upkeep *u, const struct knee *k, struct calibrated *out)
{
	static const char *const	words[KNEE_NKINDS] = {
		[KNEE_FOUND] = "larger areas make it no slower",
		[KNEE_FLAT] = "no size makes it slower than the least: the default stays",
	};
	const struct curve		*c = &u->curve[UPKEEP_LAST];
	json_t				*o = json_pack(
	    "{s:f, s:s, s:s, s:s, s:s, s:f, s:f, s:I, s:o}", "taken", clock_wall_s(), "outcome",
	    knee_name(k->kind), "words", words[k->kind], "kernel", yardstick_words(YARDSTICK_COLD),
	    "machine", u->machine, "base_ns", k->base_ns, "plateau_ns", k->plateau_ns,
	    "least_bytes", (json_int_t)least_bytes(u), "points", points_json(c, k));
	json_t				*host = topology_report(u->env.topology);

	out->flush_bytes = choose_last(u, k);
	(void)json_object_set(o, "caches", json_object_get(host, "caches"));
	json_decref(host);
	(void)json_object_set_new(o, "knee_bytes",
	    size_json(k->kind == KNEE_FOUND ? c->point[k->at].bytes : 0));
	(void)json_object_set_new(o, "flush_bytes", size_json(out->flush_bytes));
	(void)json_object_set_new(o, "levels", inner_json(u, out));
	(void)json_object_set_new(o, "memory", upkeep_memory_found(u, out));
	(void)json_object_set_new(o, "quiet", json_boolean(insists_on_quiet(u)));
	return o;
}

static double
stored_memory(const json_t *doc, const char *member)
{
	return json_number_value(json_object_get(json_object_get(doc, "memory"), member));
}

static uint64_t
stored_level(const json_t *doc, const char *level)
{
	return (uint64_t)json_integer_value(json_object_get(json_object_get(
	    json_object_get(doc, "levels"), level), "flush_bytes"));
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
		u->known = (struct calibrated){ bytes, stored_level(doc, "L1"),
		    stored_level(doc, "L2"), stored_memory(doc, "quiet_ns"),
		    stored_memory(doc, "loud_ns"), stored_memory(doc, "cold_quiet_ns"),
		    stored_memory(doc, "cold_loud_ns") };
		u->is_calibrated = true;
		u->was_quiet = !json_is_false(json_object_get(doc, "quiet"));
		dispatch_use_calibrated(u->env.dispatch, &u->known, NULL);
	} else if (st != ST_NOT_FOUND) {
		log_warn("upkeep=calibration %s", why.text);
	}
	if (!u->is_calibrated)
		dispatch_use_calibrated(u->env.dispatch, NULL, u->env.calibration_wait_s != 0 ?
		    "the first calibration is not over" :
		    "calibrations are made only on request here");
}

static void
end(struct upkeep *u)
{
	const struct curve	*c = &u->curve[UPKEEP_LAST];
	struct calibrated	 found = { 0 };
	struct knee		 k;
	struct fault		 why;
	json_t			*doc;

	knee_find(&k, c->point, c->points);
	doc = describe(u, &k, &found);
	log_info("upkeep=calibration outcome=%s flush=%" PRIu64 " l2=%" PRIu64 " l1=%" PRIu64,
	    knee_name(k.kind), found.flush_bytes, found.l2_bytes, found.l1_bytes);
	if (store_add_calibration(u->env.store, u->machine, clock_wall_s(), found.flush_bytes, doc,
	    &why) != ST_OK)
		log_error("upkeep=calibration is not stored: %s", why.text);
	json_decref(doc);
	upkeep_load_calibration(u);
	dispatch_kick(u->env.dispatch);
	if (!u->was_quiet)
		upkeep_first_again(u, clock_now_s());
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
	return u->known.flush_bytes;
}

json_t *
upkeep_calibration(const struct upkeep *u)
{
	const bool		 running = u->task == &upkeep_calibration_task;
	const enum upkeep_level	 level = u->level < UPKEEP_LEVELS ? u->level : UPKEEP_LAST;
	const struct curve	*c = &u->curve[level];
	struct knee		 k;
	json_t			*o = json_object();

	knee_find(&k, c->point, running ? c->points : 0);
	(void)json_object_set_new(o, "running", json_boolean(running));
	(void)json_object_set_new(o, "flush_bytes", size_json(u->known.flush_bytes));
	(void)json_object_set_new(o, "failed", u->calibration_failed[0] != '\0' ?
	    json_string(u->calibration_failed) : json_null());
	(void)json_object_set_new(o, "progress", running ? points_json(c, &k) : json_null());
	(void)json_object_set(o, "last", u->calibration != NULL ? u->calibration : json_null());
	return o;
}
