/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/store_lock.h"
#include "daemon/upkeep/upkeep_impl.h"
#include "proto/base/clock.h"

/* ---- tasks ---- */

void
upkeep_end_badly(struct upkeep *u, const char *reason)
{
	const bool	 calibrates = u->task == &upkeep_calibration_task;
	char		*words = calibrates ? u->calibration_failed : u->yardstick_failed;

	log_warn("upkeep=%s failed: %s", u->task->name, reason);
	(void)snprintf(words, sizeof u->calibration_failed, "%.250s", reason);
	u->task = NULL;
	u->job = 0;
	if (calibrates) {
		(void)dispatch_stream(u->env.dispatch, false);
		upkeep_first_again(u, clock_now_s());
	}
}

static void
on_admitted(void *arg, const struct admitted *a)
{
	struct upkeep	*u = arg;

	if (a->status != ST_OK)
		upkeep_end_badly(u, a->why->text);
	else
		u->job = a->ids[0];
}

static void
submit(struct upkeep *u)
{
	json_t		*job = u->task->job(u, u->step), *jobs;
	struct fault	 why;
	enum status	 st;

	if (u->stopped) {
		json_decref(job);
		u->task = NULL;
		return;
	}
	u->job = 0;
	jobs = json_pack("[o]", job);
	st = jobs != NULL ? intake_jobs(u->env.intake, geteuid(), jobs, on_admitted, u, &why) :
	    fault_set(&why, ST_NOMEM, "out of memory");
	json_decref(jobs);
	if (st != ST_OK)
		upkeep_end_badly(u, why.text);
}

enum status
upkeep_start(struct upkeep *u, const struct upkeep_task *t, struct fault *why)
{
	if (u->task != NULL) {
		(void)fault_set(why, ST_CONFLICT, "the daemon is busy with its own %s",
		    u->task->name);
		fault_hint(why, "host.get shows how far it is; ask again when it is over");
		return ST_CONFLICT;
	}
	if (!store_may_write(u->env.store))
		return store_say_locked(u->env.store, why);
	u->task = t;
	u->step = 0;
	log_info("upkeep=%s begins", t->name);
	submit(u);
	return ST_OK;
}

enum status
upkeep_value(const struct news *n, double *value_ns, struct fault *why)
{
	*value_ns = n->outcome == ST_OK ? n->value_ns : 0;
	if (*value_ns > 0)
		return ST_OK;
	return fault_set(why, ST_INTERNAL, "job %" PRId64 " ended %s%s%.180s", n->job_id,
	    status_word(n->outcome), n->detail != NULL ? ": " : "",
	    n->detail != NULL ? n->detail : "");
}

void
upkeep_take(struct upkeep *u, const struct news *n)
{
	const struct upkeep_task	*t = u->task;
	struct fault			 why;
	bool				 more = false;

	if (t->took(u, u->step, n, &more, &why) != ST_OK) {
		upkeep_end_badly(u, why.text);
	} else if (more) {
		u->step++;
		submit(u);
	} else {
		u->task = NULL;
		u->job = 0;
		t->end(u);
	}
}

/* What becomes of it is written in one group, which must be open before any of it happens. */
void
upkeep_news(struct upkeep *u, const struct news *n)
{
	if (u->task == NULL || n->job_id != u->job || u->held != NULL)
		return;
	if (store_may_write(u->env.store) || !store_is_locked(u->env.store))
		upkeep_take(u, n);
	else
		upkeep_hold(u, n);
}

void
upkeep_tick(struct upkeep *u, double now)
{
	double		interval = u->env.yardstick_minutes * 60.0;
	struct fault	why;

	upkeep_first_tick(u, now);
	if (u->due == 0)
		u->due = now + interval;
	if (u->task == &upkeep_yardstick_task)
		u->due = now + interval;
	if (u->stopped || interval == 0 || now < u->due || u->task != NULL ||
	    queue_live(u->env.queue) != 0)
		return;
	if (upkeep_start(u, &upkeep_yardstick_task, &why) == ST_OK)
		u->due = now + interval;
}

/* ---- life ---- */

enum status
upkeep_new(struct upkeep **out, const struct upkeep_env *env, struct fault *why)
{
	struct upkeep	*u = calloc(1, sizeof *u);

	*out = NULL;
	if (u == NULL)
		return fault_set(why, ST_NOMEM, "upkeep");
	u->env = *env;
	topology_machine(env->topology, u->machine);
	upkeep_load_calibration(u);
	*out = u;
	return ST_OK;
}

void
upkeep_set_times(struct upkeep *u, unsigned yardstick_minutes, unsigned calibration_wait_s)
{
	u->env.yardstick_minutes = yardstick_minutes;
	u->env.calibration_wait_s = calibration_wait_s;
}

void
upkeep_stop(struct upkeep *u)
{
	if (u != NULL)
		u->stopped = true;
}

void
upkeep_free(struct upkeep *u)
{
	if (u == NULL)
		return;
	json_decref(u->calibration);
	upkeep_held_free(u->held);
	free(u);
}
