/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_TIMING_H
#define ASSAY_TESTS_SUPPORT_TIMING_H

/*
 * For tests that build and time for real: a builder and a supervisor on a directory of the test's
 * own.
 */
#include <sched.h>

#include "tests/support/driver.h"
#include "worker/build/build.h"
#include "worker/trial/supervise.h"

struct workshop {
	struct builder		*builder;
	struct supervisor	*supervisor;
	char			 cache[96], scratch[96];
	unsigned		 stop_after;	/* looks at the stop flag that say no; 0: it never
						 * says yes */
	unsigned		 looks;
	cpu_set_t		 before;	/* where this program could run */

	struct artifacts	 artifacts;	/* of the last job */
	enum status		 status;
	char			*detail;
	json_t			*report;	/* as it was sent: a member that is none is not
						 * there */
};

static inline bool
timing_stop(void *arg)
{
	struct workshop	*t = arg;

	return t->stop_after != 0 && ++t->looks > t->stop_after;
}

static inline int
timing_last_cpu(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
}

/*
 * As a worker is bound: to CPUs beside its slot's, if there are any.  Half of a supervisor's time
 * on its variant's CPU, and half elsewhere, would make audits of two kinds.
 */
static inline void
timing_leave(struct workshop *t, int cpu)
{
	cpu_set_t	others;

	assert_int_equal(sched_getaffinity(0, sizeof t->before, &t->before), 0);
	others = t->before;
	if (cpu >= 0)
		CPU_CLR((size_t)cpu, &others);
	if (CPU_COUNT(&others) > 0)
		assert_int_equal(sched_setaffinity(0, sizeof others, &others), 0);
}

/* cpu: the timing CPU; -1: routines are not pinned. */
static inline void
timing_open_on(struct workshop *t, int cpu)
{
	struct builder_config	config = { .cache_dir = t->cache, .scratch_dir = t->scratch,
	    .cache_limit_bytes = 1 << 28 };
	struct slot		slot = { .cpu = cpu, .l1_bytes = 32 << 10, .l2_bytes = 1 << 20,
				    .l3_bytes = 32 << 20, .line_bytes = 64, .cache_dir = t->cache,
				    .scratch_dir = t->scratch, .stop = timing_stop, .stop_arg = t };
	struct fault		why;

	memset(t, 0, sizeof *t);
	timing_leave(t, cpu);
	snprintf(t->cache, sizeof t->cache, "%s/cache", support_own_dir());
	snprintf(t->scratch, sizeof t->scratch, "%s/scratch", support_dir);
	if (builder_new(&t->builder, &config, &why) != ST_OK)
		fail_msg("%s", why.text);
	if (supervisor_new(&t->supervisor, &slot, &why) != ST_OK)
		fail_msg("%s", why.text);
}

static inline void
timing_open(struct workshop *t)
{
	timing_open_on(t, timing_last_cpu());
}

static inline void
timing_forget(struct workshop *t)
{
	free(t->detail);
	json_decref(t->report);
	t->detail = NULL;
	t->report = NULL;
}

static inline void
timing_close(struct workshop *t)
{
	timing_forget(t);
	supervisor_free(t->supervisor);
	builder_free(t->builder);
	assert_int_equal(sched_setaffinity(0, sizeof t->before, &t->before), 0);
}

static inline void
timing_add(json_t *report, const char *name, const char *text)
{
	if (text != NULL)
		assert_int_equal(json_object_set_new(report, name, json_loads(text, 0, NULL)), 0);
}

/* Time what is built.  The report has what is kept beside it. */
static inline enum status
timing_time(struct workshop *t, const struct job *job, const struct artifacts *artifacts)
{
	struct kept	 kept;
	char		*text;

	timing_forget(t);
	t->status = supervisor_time(t->supervisor, job, artifacts, &t->detail, &text, &kept);
	assert_non_null(text);
	assert_non_null(t->report = json_loads(text, 0, NULL));
	timing_add(t->report, "technique", kept.technique);
	timing_add(t->report, "evidence", kept.evidence);
	timing_add(t->report, "readings", kept.readings);
	if (kept.readings != NULL)
		assert_int_equal(json_object_update(json_object_get(t->report, "samples"),
		    json_object_get(t->report, "readings")), 0);
	free(text);
	kept_release(&kept);
	return t->status;
}

/* Build the job, which must work, and time it. */
static inline enum status
timing_run(struct workshop *t, const char *text)
{
	struct job	 job;
	char		*words, *built;

	support_job(&job, text);
	if (builder_build(t->builder, &job, &t->artifacts, &words, &built) != ST_OK)
		fail_msg("does not build: %s", words != NULL ? words : "");
	free(words);
	free(built);
	(void)timing_time(t, &job, &t->artifacts);
	job_release(&job);
	return t->status;
}

/*
 * Time a job that nothing is wrong with.  too_noisy is not its fault: other programs had its CPU.
 */
static inline void
timing_succeed(struct workshop *t, const char *text)
{
	enum status	st = timing_run(t, text);

	if (st != ST_OK && st != ST_TOO_NOISY)
		fail_msg("%s: %s", status_word(st), t->detail != NULL ? t->detail : "");
}

/* A member of the report by its path: "technique", "method". */
static inline const json_t *
timing_member(const struct workshop *t, const char *object, const char *member)
{
	return json_object_get(json_object_get(t->report, object), member);
}

static inline const char *
timing_word(const struct workshop *t, const char *object, const char *member)
{
	const char	*word = json_string_value(timing_member(t, object, member));

	return word != NULL ? word : "";
}

static inline double
timing_number(const struct workshop *t, const char *object, const char *member)
{
	return json_number_value(timing_member(t, object, member));
}

/* A list of the samples, one number for each: "ns", "ticks". */
static inline const json_t *
timing_samples(const struct workshop *t, const char *list)
{
	return timing_member(t, "samples", list);
}

/* How many there are. */
static inline size_t
timing_taken(const struct workshop *t)
{
	return json_array_size(timing_samples(t, "ns"));
}

/* The least time per call. */
static inline double
timing_min_ns(const struct workshop *t)
{
	const json_t	*ns;
	double		 least = -1;
	size_t		 i;

	json_array_foreach(timing_samples(t, "ns"), i, ns)
		if (least < 0 || json_number_value(ns) < least)
			least = json_number_value(ns);
	return least;
}

#endif
