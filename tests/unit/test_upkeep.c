/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <time.h>

#include "tests/support/api_fixture.h"

#include <sqlite3.h>

#include "daemon/store/store_lock.h"
#include "daemon/upkeep/upkeep_impl.h"
#include "proto/base/clock.h"

#define CACHE	((uint64_t)32 << 20)		/* the fixture's */
#define L2	((uint64_t)1 << 20)
enum { ROUNDS = 5 };				/* of a calibration */

/* ---- a host in numbers ---- */

/* The daemon's own job that is alive; all that were written are on disk afterwards.  NULL: there is none. */
static const struct queued_job *
own_job(void)
{
	const struct queued_job	*j = NULL;

	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	(void)queue_list(&the->queue, &j, 1);
	return j;
}

/* Another process: it takes the lock of the database between a result's commit and its news. */
static sqlite3	*other;
static bool	 take_lock;

static void
lock(void)
{
	assert_int_equal(sqlite3_open(the->path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	take_lock = false;
}

static void
unlock(void)
{
	assert_int_equal(sqlite3_close(other), SQLITE_OK);
	assert_true(store_try_lock(the->store));
}

static const char	*result_text = "{}";	/* of the next results, as far as it is looked at */

static void
end_own(enum status outcome, double value_ns)
{
	const struct queued_job	*found = own_job();
	struct queued_job	*j = found != NULL ? queue_find(&the->queue, found->id) : NULL;
	struct news		 n;

	assert_non_null(j);
	assert_int_equal(j->submitter, geteuid());
	n = (struct news){ .job_id = j->id, .submitter = j->submitter, .outcome = outcome, .fitness = "abc",
	    .detail = "as the test has it", .text = result_text };
	if (value_ns > 0) {
		n.value_ns = value_ns;
		n.estimator = "min";
	}
	n.cursor = write_result(j->id, outcome, value_ns);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	job_move(&the->queue, j, JOB_FAILED);
	queue_forget(&the->queue, j);
	if (take_lock)
		lock();
	the->dispatch.fn(the->dispatch.arg, &n);
}

/* What the own job would flush before each call; 0: its context is a word. */
static uint64_t
asked_bytes(void)
{
	const struct queued_job	*j = own_job();
	json_t			*doc = NULL;
	uint64_t		 bytes;

	assert_non_null(j);
	assert_int_equal(store_job_doc(the->store, j->id, &doc, NULL), ST_OK);
	bytes = (uint64_t)json_integer_value(json_object_get(json_object_get(json_object_get(doc, "spec"), "context"),
	    "flush_bytes"));
	json_decref(doc);
	return bytes;
}

static bool
is_own(const char *name)
{
	const struct queued_job	*j = own_job();

	return j != NULL && strcmp(j->brief->name, name) == 0;
}

/* Is the own job one about an inner cache? */
static bool
is_walk(void)
{
	return is_own("walk_flushed");
}

/* An L2 that needs to be read over `times` before the walk is in the next cache. */
static double
walk_time(uint64_t bytes, double times)
{
	double	part = (double)bytes / (times * (double)L2);

	return 200 + 500 * (part < 1 ? part : 1);
}

/* A cache that needs to be read over `times` to be empty. */
static double
cold_time(uint64_t bytes, double times)
{
	double	part = (double)bytes / (times * (double)CACHE);

	return 1000 + 3000 * (part < 1 ? part : 1);
}

static const json_t *
host(const char *object, const char *member)
{
	return json_object_get(json_object_get(ok("host.get", "{}"), object), member);
}

/* As root. */
static const json_t *
started(const char *method)
{
	assert_int_equal(start_call(0, method, "{}"), 1);
	assert_int_equal(the->status, ST_OK);
	return the->result;
}

/* Both kernels of the yardstick. */
static void
end_yardstick(double warm_ns, double cold_ns)
{
	assert_int_equal(asked_bytes(), 0);
	end_own(ST_OK, warm_ns);
	end_own(ST_OK, cold_ns);
}

/* The jobs about inner caches, and one about memory, which has no reading. */
static void
end_walks(void)
{
	while (is_walk())
		end_own(ST_OK, walk_time(asked_bytes(), 2));
	if (is_own("dot_memory"))
		end_own(ST_OK, 4000);
}

static unsigned
calibrate(double times)
{
	const json_t	*begun = started("host.calibrate");
	unsigned	 points = 0;

	assert_true(json_is_true(json_object_get(begun, "running")));
	for (; own_job() != NULL && asked_bytes() != 0 && !is_walk(); points++)
		end_own(ST_OK, cold_time(asked_bytes(), times));
	end_walks();
	if (own_job() != NULL)
		end_yardstick(100, 4000);
	return points;
}

/* ---- the flush area ---- */

static void
test_upkeep_W26_flush_area_grows_until_the_time_stops_rising_and_is_used(void **state)
{
	const json_t	*last;

	(void)state;
	assert_int_equal(the->known.flush_bytes, 0);
	assert_int_equal(calibrate(3) % ROUNDS, 0);
	assert_int_equal(the->known.flush_bytes, 3 * CACHE);
	last = host("calibration", "last");
	assert_string_equal(text(last, "outcome"), "found");
	assert_int_equal(integer(last, "knee_bytes"), 3 * CACHE);
	assert_int_equal(integer(json_object_get(last, "caches"), "l3_bytes"), CACHE);
	last = json_array_get(json_object_get(last, "points"), 0);
	assert_int_equal(integer(last, "bytes"), CACHE / 8);
	assert_true(json_number_value(json_object_get(last, "coldness")) == 0);
	assert_true(json_is_false(host("calibration", "running")));
	assert_int_equal(json_integer_value(host("calibration", "flush_bytes")), 3 * CACHE);
}

/* Some sizes are slow in each round, and not the same ones: the curve is that of a quiet host. */
static void
test_upkeep_busy_moments_do_not_bend_the_curve(void **state)
{
	const json_t	*point;
	uint64_t	 bytes;
	unsigned	 job = 0;
	size_t		 i;

	(void)state;
	(void)started("host.calibrate");
	while (!is_walk() && (bytes = asked_bytes()) != 0)
		end_own(ST_OK, cold_time(bytes, 3) * (job++ % 7 < 2 ? 1.6 : 1));
	end_walks();
	end_yardstick(100, 4000);
	assert_int_equal(the->known.flush_bytes, 3 * CACHE);
	json_array_foreach(json_object_get(host("calibration", "last"), "points"), i, point)
		assert_float_equal(json_number_value(json_object_get(point, "time_ns")),
		    cold_time((uint64_t)integer(point, "bytes"), 3), 1e-6);
}

static void
test_upkeep_calibration_is_kept_for_its_host_and_for_no_other(void **state)
{
	struct upkeep_env	env = { the->store, &the->queue, the->intake, &the->dispatch, &the->topology, 0, 0 };
	struct upkeep		*later;
	struct fault		 why;

	(void)state;
	(void)calibrate(2);
	the->known.flush_bytes = 7;
	assert_int_equal(upkeep_new(&later, &env, &why), ST_OK);
	assert_int_equal(the->known.flush_bytes, 2 * CACHE);
	upkeep_free(later);
	the->known.flush_bytes = 7;
	the->topology.l3_bytes = 2 * CACHE;
	assert_int_equal(upkeep_new(&later, &env, &why), ST_OK);
	assert_int_equal(the->known.flush_bytes, 0);
	upkeep_free(later);
}

static void
test_upkeep_flat_curve_leaves_the_default_and_without_a_plateau_nothing_is_kept(void **state)
{
	(void)state;
	assert_int_equal(calibrate(1e9), 15 * ROUNDS);
	assert_int_equal(the->known.flush_bytes, 0);
	assert_string_equal(text(host("calibration", "last"), "outcome"), "flat");
	assert_true(json_is_null(host("calibration", "flush_bytes")));
	(void)calibrate(20);
	assert_string_equal(text(host("calibration", "last"), "outcome"), "flat");
	assert_int_equal(the->known.flush_bytes, 0);
	assert_non_null(strstr(json_string_value(host("calibration", "failed")),
	    "still rises after reading 512 MiB"));
}

/* Of a database that an older daemon has written. */
static void
test_upkeep_calibration_without_a_plateau_that_an_older_daemon_kept_does_not_hold(void **state)
{
	struct upkeep_env	env = { the->store, &the->queue, the->intake, &the->dispatch,
				    &the->topology, 0, 30 };
	json_t			*doc = json_pack("{s:s}", "outcome", "rising");
	struct upkeep		*later;
	char			 machine[TOPOLOGY_MACHINE_BYTES];

	(void)state;
	topology_machine(&the->topology, machine);
	assert_int_equal(store_add_calibration(the->store, machine, 1, 16 * CACHE, doc, NULL), ST_OK);
	json_decref(doc);
	the->known.flush_bytes = 7;
	assert_int_equal(upkeep_new(&later, &env, NULL), ST_OK);
	assert_int_equal(the->known.flush_bytes, 0);
	assert_string_equal(the->uncalibrated, "the first calibration is not over");
	upkeep_free(later);
}

static void
test_upkeep_W26_the_area_of_an_inner_cache_is_found_where_its_time_stops_rising(void **state)
{
	const json_t	*l2;

	(void)state;
	(void)calibrate(3);
	l2 = json_object_get(json_object_get(host("calibration", "last"), "levels"), "L2");
	assert_string_equal(text(l2, "outcome"), "found");
	assert_int_equal(integer(l2, "flush_bytes"), 2 * L2);
	assert_int_equal(the->known.l2_bytes, 2 * L2);
	assert_int_equal(the->known.l1_bytes, 0);	/* the fixture has none */
	assert_int_equal(integer(json_array_get(json_object_get(l2, "points"), 0), "bytes"), L2 / 4);
}

/* ---- memory ---- */

/* Up to the jobs about it. */
static void
begin_memory(void)
{
	(void)started("host.calibrate");
	while (!is_walk())
		end_own(ST_OK, cold_time(asked_bytes(), 3));
	while (is_walk())
		end_own(ST_OK, walk_time(asked_bytes(), 2));
}

static void
end_with_reading(double reading_ns, double cold_ns)
{
	static char	words[128];

	(void)snprintf(words, sizeof words, "{\"evidence\":{\"memory\":{\"reading_ns\":%g}}}", reading_ns);
	result_text = words;
	end_own(ST_OK, cold_ns);
	result_text = "{}";
}

/* One job at rest is disturbed; the first beside the streamer come before it has begun. */
static void
test_upkeep_memory_canary_is_learnt_at_rest_and_beside_a_streamer_of_its_own(void **state)
{
	static const double	at_rest[] = { 2500, 2450, 9000, 2600, 2480 };
	unsigned		jobs = 0;

	(void)state;
	begin_memory();
	for (unsigned i = 0; i < 5; i++) {
		assert_false(the->streams);
		end_with_reading(at_rest[i], 2 * at_rest[i]);
	}
	for (; is_own("dot_memory"); jobs++) {
		assert_true(the->streams);
		end_with_reading(jobs < 3 ? 2500 : 4400, jobs < 3 ? 5000 : 11000);
	}
	assert_false(the->streams);
	assert_true(jobs >= 7);
	assert_true(the->known.memory_quiet_ns == 2450 && the->known.memory_loud_ns == 4400);
	assert_true(the->known.cold_quiet_ns == 4900 && the->known.cold_loud_ns == 11000);
	end_yardstick(100, 4000);
	the->known.memory_quiet_ns = 0;
	upkeep_load_calibration(the->upkeep);
	assert_true(the->known.memory_quiet_ns == 2450);	/* it is kept */
}

static void
test_upkeep_streamer_ends_with_a_calibration_that_fails(void **state)
{
	(void)state;
	begin_memory();
	for (unsigned i = 0; i < 6; i++)
		end_with_reading(2500, 5000);
	assert_true(the->streams);
	end_own(ST_CRASHED, 0);
	assert_false(the->streams);
	assert_int_equal(the->known.flush_bytes, 0);
}

static const struct queued_job	*
submitted(const char *context)
{
	char		 text_of[600];
	const json_t	*r;

	(void)snprintf(text_of, sizeof text_of, "{\"job\":{\"variant\":{\"language\":\"c\",\"name\":\"v\","
	    "\"source\":\"int f(int*p){return *p;}\"},\"spec\":{\"routine\":\"int f(int *p)\","
	    "\"args\":{\"p\":{\"dims\":[9]}},\"context\":\"%s\"}}}", context);
	r = ok("job.submit", text_of);
	return queue_find(&the->queue, json_integer_value(json_array_get(json_object_get(r, "ids"), 0)));
}

static void
forget(const struct queued_job *j)
{
	end_job(j->id, ST_OK, 5);
}

static void
test_upkeep_first_cold_job_waits_for_a_calibration_and_a_warm_one_does_not(void **state)
{
	const struct queued_job	*warm, *cold;

	(void)state;
	warm = submitted("warm");
	assert_true(upkeep_may_time(the->upkeep, warm));
	upkeep_tick(the->upkeep, 1000);
	forget(warm);
	assert_null(own_job());
	cold = submitted("cold");
	assert_false(upkeep_may_time(the->upkeep, cold));
	upkeep_tick(the->upkeep, 1001);
	assert_ptr_not_equal(own_job(), cold);
	assert_true(upkeep_may_time(the->upkeep, own_job()));
	assert_int_equal(own_job()->priority, 100);
	while (!is_walk())
		end_own(ST_OK, cold_time(asked_bytes(), 3));
	end_walks();
	assert_true(upkeep_may_time(the->upkeep, cold));
	assert_int_equal(the->known.flush_bytes, 3 * CACHE);
	assert_string_equal(the->uncalibrated, "");
}

/* A minute later, then two, when no job is alive. */
static void
test_upkeep_busy_host_is_asked_again_later_and_its_cold_jobs_go_on(void **state)
{
	const struct queued_job	*cold = submitted("cold");
	const double		 now = clock_now_s();

	(void)state;
	assert_false(upkeep_may_time(the->upkeep, cold));
	upkeep_tick(the->upkeep, now);
	for (unsigned i = 0; i <= 20; i++)		/* a few may be noisy */
		end_own(ST_TOO_NOISY, 0);
	assert_true(upkeep_may_time(the->upkeep, cold));
	assert_non_null(strstr(the->uncalibrated, "too_noisy"));
	upkeep_tick(the->upkeep, now + 62);
	assert_int_equal(queue_live(&the->queue), 1);
	forget(cold);
	upkeep_tick(the->upkeep, now + 50);
	assert_null(own_job());
	upkeep_tick(the->upkeep, now + 63);
	assert_int_equal(asked_bytes(), CACHE / 8);
	end_own(ST_BUILD_FAILED, 0);
	upkeep_tick(the->upkeep, now + 115);
	assert_null(own_job());
	upkeep_tick(the->upkeep, now + 125);
	assert_non_null(own_job());
}

/* ---- quiet that is not to be had ---- */

static void
test_upkeep_calibration_beside_a_neighbour_holds_until_a_quiet_one_is_made_later(void **state)
{
	const double	now = clock_now_s();

	(void)state;
	(void)submitted("cold");
	assert_false(upkeep_may_time(the->upkeep, own_job()));
	(void)started("host.calibrate");
	for (unsigned i = 0; i < 5; i++)
		end_own(ST_TOO_NOISY, 0);
	assert_int_equal(asked_bytes(), CACHE / 8);
	while (!is_walk())
		end_own(ST_OK, cold_time(asked_bytes(), 3));
	end_walks();
	assert_int_equal(the->known.flush_bytes, 3 * CACHE);
	assert_true(json_is_false(json_object_get(host("calibration", "last"), "quiet")));
	forget(own_job());
	end_yardstick(100, 4000);
	upkeep_tick(the->upkeep, now + 30);
	assert_null(own_job());
	upkeep_tick(the->upkeep, now + 65);
	while (!is_walk())
		end_own(ST_OK, cold_time(asked_bytes(), 3));
	end_walks();
	assert_true(json_is_true(json_object_get(host("calibration", "last"), "quiet")));
	end_yardstick(100, 4000);
	upkeep_tick(the->upkeep, now + 1e5);
	while (own_job() != NULL && !is_own("dot_flushed"))
		end_own(ST_OK, 100);		/* the yardstick's turn has come */
	assert_null(own_job());
}


static void
test_upkeep_cold_job_waits_no_longer_than_asked_and_not_at_all_where_it_is_off(void **state)
{
	struct upkeep_env	env = { the->store, &the->queue, the->intake, &the->dispatch,
				    &the->topology, 0, 0 };
	struct upkeep		*off;
	const struct queued_job	*cold = submitted("cold");

	(void)state;
	assert_int_equal(upkeep_new(&off, &env, NULL), ST_OK);
	assert_true(upkeep_may_time(off, cold));
	upkeep_tick(off, 1e9);
	assert_int_equal(queue_live(&the->queue), 1);
	assert_string_equal(the->uncalibrated, "calibrations are made only on request here");
	upkeep_free(off);
}


static void
test_upkeep_W26_low_associativity_is_the_least_area(void **state)
{
	(void)state;
	the->topology.l3_ways = 4;
	(void)calibrate(2);
	assert_int_equal(the->known.flush_bytes, 4 * CACHE);
	assert_int_equal(integer(host("calibration", "last"), "knee_bytes"), 2 * CACHE);
}

/* Others who use the cache make the area seem smaller than it has to be when they are gone. */
static void
test_upkeep_area_in_force_is_the_largest_of_the_last_five(void **state)
{
	(void)state;
	(void)calibrate(3);
	for (unsigned i = 0; i < 4; i++) {
		(void)calibrate(2);
		assert_int_equal(the->known.flush_bytes, 3 * CACHE);
		assert_int_equal(integer(host("calibration", "last"), "flush_bytes"), 2 * CACHE);
	}
	(void)calibrate(2);
	assert_int_equal(the->known.flush_bytes, 2 * CACHE);
	(void)calibrate(0.5);
	assert_int_equal(integer(host("calibration", "last"), "flush_bytes"), CACHE);	/* never less than the cache */
}

static void
test_upkeep_one_task_at_a_time_and_its_progress_is_seen(void **state)
{
	(void)state;
	(void)started("host.calibrate");
	assert_int_equal(start_call(0, "host.calibrate", "{}"), 1);
	assert_int_equal(the->code, API_CONFLICT);
	assert_int_equal(start_call(0, "host.reference", "{}"), 1);
	assert_int_equal(the->code, API_CONFLICT);
	end_own(ST_OK, 1000);
	assert_int_equal(json_array_size(host("calibration", "progress")), 1);
	assert_true(json_is_true(host("calibration", "running")));
}

static void
test_upkeep_size_that_cannot_be_had_ends_the_growing_and_what_is_there_counts(void **state)
{
	(void)state;
	(void)started("host.calibrate");
	while (asked_bytes() < 4 * CACHE)
		end_own(ST_OK, cold_time(asked_bytes(), 1));
	end_own(ST_RUN_LIMIT, 0);
	while (!is_walk())
		end_own(ST_OK, cold_time(asked_bytes(), 1));
	end_walks();
	end_yardstick(100, 4000);
	assert_string_equal(text(host("calibration", "last"), "outcome"), "found");
	assert_int_equal(the->known.flush_bytes, CACHE);
}

static void
test_upkeep_calibration_that_cannot_begin_leaves_the_one_before_and_the_reason(void **state)
{
	(void)state;
	(void)calibrate(3);
	(void)started("host.calibrate");
	end_own(ST_BUILD_FAILED, 0);
	assert_null(own_job());
	assert_int_equal(the->known.flush_bytes, 3 * CACHE);
	assert_non_null(strstr(json_string_value(host("calibration", "failed")), "build_failed: as the test has it"));
	assert_string_equal(text(host("calibration", "last"), "outcome"), "found");
	(void)calibrate(2);
	assert_true(json_is_null(host("calibration", "failed")));
}

static void
test_upkeep_is_for_root_and_the_daemons_own_user(void **state)
{
	(void)state;
	if (geteuid() == OTHER)
		return;
	assert_int_equal(start_call(OTHER, "host.calibrate", "{}"), 1);
	assert_int_equal(the->code, API_DENIED);
	assert_int_equal(start_call(OTHER, "host.reference", "{}"), 1);
	assert_int_equal(the->code, API_DENIED);
	assert_null(own_job());
}

/* ---- the yardstick ---- */

static void
test_upkeep_yardstick_history_gives_the_noise_floor(void **state)
{
	static const double	warm[] = { 100, 101, 99, 100 };
	const json_t		*kernel;
	struct evbuffer		*metrics = evbuffer_new();
	const char		*words;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		(void)started("host.reference");
		end_yardstick(warm[i], 4000);
	}
	kernel = json_array_get(host("reference", "kernels"), 0);
	assert_string_equal(text(kernel, "kernel"), "dot_warm");
	assert_int_equal(integer(kernel, "count"), 4);
	assert_true(json_number_value(json_object_get(kernel, "median_ns")) == 100);
	assert_float_equal(json_number_value(json_object_get(kernel, "cv")), 0.00816, 0.0001);
	assert_int_equal(json_array_size(json_object_get(kernel, "history")), 4);
	assert_string_equal(text(kernel, "fitness"), "abc");
	api_put_metrics(the->api, metrics);
	words = (const char *)evbuffer_pullup(metrics, -1);
	assert_non_null(strstr(words, "assay_reference_seconds{kernel=\"dot_cold\"} 4"));
	assert_non_null(strstr(words, "assay_reference_cv{kernel=\"dot_warm\"} 0.008"));
	evbuffer_free(metrics);
}

static void
test_upkeep_spread_is_of_times_that_can_be_compared(void **state)
{
	struct yardstick_row		row = { .kernel = "dot_warm", .estimator = "normalised", .fitness = "other",
					    .value_ns = 900, .taken = 1, .job_id = 1 };
	struct yardstick_summary	s[UPKEEP_KERNELS];
	const json_t			*kernel;
	char				machine[400];

	(void)state;
	(void)started("host.reference");
	end_yardstick(100, 4000);
	upkeep_summary(the->upkeep, s);
	assert_int_equal(s[0].count, 1);
	assert_true(isnan(s[0].cv));
	(void)calibrate(3);
	(void)snprintf(machine, sizeof machine, "%s", text(host("calibration", "last"), "machine"));
	assert_int_equal(store_add_yardstick(the->store, machine, &row, NULL), ST_OK);
	upkeep_summary(the->upkeep, s);
	assert_int_equal(s[0].count, 1);		/* another estimator: nothing before it counts */
	assert_true(s[0].last_ns == 900);
	kernel = json_array_get(host("reference", "kernels"), 0);
	assert_int_equal(json_array_size(json_object_get(kernel, "history")), 3);
}

static void
test_upkeep_yardstick_comes_when_it_is_due_and_no_job_waits(void **state)
{
	int64_t	id;

	(void)state;
	upkeep_tick(the->upkeep, 1000);
	upkeep_tick(the->upkeep, 1000 + 3599);
	assert_null(own_job());
	id = submit();
	upkeep_tick(the->upkeep, 1000 + 3600);
	assert_int_equal(queue_live(&the->queue), 1);		/* the other one's job */
	end_job(id, ST_OK, 5);
	upkeep_tick(the->upkeep, 1000 + 3601);
	end_yardstick(100, 4000);
	upkeep_tick(the->upkeep, 1000 + 3602);
	assert_null(own_job());
	upkeep_tick(the->upkeep, 1000 + 3601 + 3600);
	assert_non_null(own_job());
	assert_int_equal(own_job()->priority, -100);
}

static size_t
times_of(unsigned kernel)
{
	return json_array_size(json_object_get(json_array_get(host("reference", "kernels"), kernel), "history"));
}

static void
test_upkeep_D10_a_time_that_meets_the_lock_is_kept_when_it_is_free_and_the_task_goes_on(void **state)
{
	(void)state;
	(void)started("host.reference");
	take_lock = true;
	end_own(ST_OK, 100);
	assert_true(store_is_locked(the->store));
	assert_int_equal(times_of(0), 0);
	assert_int_equal(queue_live(&the->queue), 0);	/* the next job waits, too */
	assert_true(json_is_true(host("reference", "running")));
	unlock();
	assert_int_equal(times_of(0), 1);
	take_lock = true;
	end_own(ST_OK, 4000);
	unlock();
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_int_equal(times_of(1), 1);
	assert_true(json_is_false(host("reference", "running")));
	assert_true(json_is_null(host("reference", "failed")));
}

static void
test_upkeep_D10_a_calibration_that_ends_at_a_lock_is_kept_when_it_is_free(void **state)
{
	(void)state;
	(void)started("host.calibrate");
	while (!is_walk())
		end_own(ST_OK, cold_time(asked_bytes(), 3));
	while (is_walk())
		end_own(ST_OK, walk_time(asked_bytes(), 2));
	assert_true(is_own("dot_memory"));
	take_lock = true;
	end_own(ST_OK, 4000);
	assert_true(json_is_null(host("calibration", "last")));
	unlock();
	assert_false(json_is_null(host("calibration", "last")));
	assert_true(is_own("dot_warm"));		/* the yardstick follows */
}

static void
test_upkeep_D10_the_yardstick_that_is_due_at_a_lock_comes_after_it(void **state)
{
	(void)state;
	upkeep_tick(the->upkeep, 1000);
	lock();
	upkeep_tick(the->upkeep, 1000 + 3600);
	assert_true(json_is_null(host("reference", "failed")));
	assert_int_equal(start_call(0, "host.reference", "{}"), 0);	/* put off */
	unlock();
	assert_true(json_is_true(host("reference", "running")));
	end_yardstick(100, 4000);
}

static void
test_upkeep_stopped_starts_nothing(void **state)
{
	(void)state;
	(void)started("host.calibrate");
	upkeep_stop(the->upkeep);
	end_own(ST_OK, 1000);
	assert_null(own_job());
	upkeep_tick(the->upkeep, 1000);
	upkeep_tick(the->upkeep, 1e9);
	assert_null(own_job());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_upkeep_W26_flush_area_grows_until_the_time_stops_rising_and_is_used),
		TEST(test_upkeep_busy_moments_do_not_bend_the_curve),
		TEST(test_upkeep_calibration_is_kept_for_its_host_and_for_no_other),
		TEST(test_upkeep_flat_curve_leaves_the_default_and_without_a_plateau_nothing_is_kept),
		TEST(test_upkeep_calibration_without_a_plateau_that_an_older_daemon_kept_does_not_hold),
		TEST(test_upkeep_W26_the_area_of_an_inner_cache_is_found_where_its_time_stops_rising),
		TEST(test_upkeep_first_cold_job_waits_for_a_calibration_and_a_warm_one_does_not),
		TEST(test_upkeep_busy_host_is_asked_again_later_and_its_cold_jobs_go_on),
		TEST(test_upkeep_memory_canary_is_learnt_at_rest_and_beside_a_streamer_of_its_own),
		TEST(test_upkeep_streamer_ends_with_a_calibration_that_fails),
		TEST(test_upkeep_calibration_beside_a_neighbour_holds_until_a_quiet_one_is_made_later),
		TEST(test_upkeep_cold_job_waits_no_longer_than_asked_and_not_at_all_where_it_is_off),
		TEST(test_upkeep_W26_low_associativity_is_the_least_area),
		TEST(test_upkeep_area_in_force_is_the_largest_of_the_last_five),
		TEST(test_upkeep_one_task_at_a_time_and_its_progress_is_seen),
		TEST(test_upkeep_size_that_cannot_be_had_ends_the_growing_and_what_is_there_counts),
		TEST(test_upkeep_calibration_that_cannot_begin_leaves_the_one_before_and_the_reason),
		TEST(test_upkeep_is_for_root_and_the_daemons_own_user),
		TEST(test_upkeep_yardstick_history_gives_the_noise_floor),
		TEST(test_upkeep_spread_is_of_times_that_can_be_compared),
		TEST(test_upkeep_yardstick_comes_when_it_is_due_and_no_job_waits),
		TEST(test_upkeep_D10_a_time_that_meets_the_lock_is_kept_when_it_is_free_and_the_task_goes_on),
		TEST(test_upkeep_D10_a_calibration_that_ends_at_a_lock_is_kept_when_it_is_free),
		TEST(test_upkeep_D10_the_yardstick_that_is_due_at_a_lock_comes_after_it),
		TEST(test_upkeep_stopped_starts_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
