/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "daemon/dispatch/station/station.h"
#include "proto/base/clock.h"
#include "proto/base/cpulist.h"
#include "proto/base/log.h"

enum { QUICK_DEATH_S = 5, RESTART_MAX_S = 60, MAX_ARGS = 32 };

void
station_release(struct station *l)
{
	json_decref(l->hello);
	json_decref(l->canary);
	quiet_forget(&l->quiet);
	l->hello = l->canary = NULL;
}

bool
station_is_idle(const struct station *l)
{
	return l->child != NULL && l->ready && l->job == NULL && l->taken_back == 0;
}

bool
station_is_mute(const struct station *l, double now)
{
	return l->child != NULL && !l->ready && now - l->started >= STATION_GREETING_S;
}

unsigned
station_width(const struct station *l)
{
	return l->cpus != NULL ? (unsigned)CPU_COUNT(l->cpus) : 1;
}

static json_t *
cpus_json(const struct station *l)
{
	return l->cpus != NULL ? topology_cpus(l->cpus) : json_pack("[i]", l->cpu);
}

/* Decimal text of a number, kept in the caller's array. */
struct number {
	char	text[24];
};

static const char *
decimal(struct number *n, uint64_t value)
{
	(void)snprintf(n->text, sizeof n->text, "%" PRIu64, value);
	return n->text;
}

enum status
station_start(struct station *l, struct child_pool *pool, const struct config *c,
    const struct child_events *events, void *arg, double now, struct fault *why)
{
	struct number	n[8];
	const char	*argv[MAX_ARGS] = {
		c->worker_path, "--role", l->role == STATION_BUILD ? "build" : "time",
		"--cpu", decimal(&n[0], (uint64_t)l->cpu),
		"--supervise-cpu", decimal(&n[1], (uint64_t)l->supervise_cpu),
		"--state", c->state_dir,
		"--cache-limit", decimal(&n[2], c->cache_limit_bytes),
		"--l1", decimal(&n[3], l->caches->l1_bytes),
		"--l2", decimal(&n[4], l->caches->l2_bytes),
		"--l3", decimal(&n[5], l->caches->l3_bytes),
		"--line", decimal(&n[6], l->caches->line_bytes),
		"--l1-ways", decimal(&n[7], l->caches->l1_ways > 0 ?
		(uint64_t)l->caches->l1_ways : 0),
	};
	char		list[1024];
	unsigned	argc = 0;
	enum status	st;

	while (argv[argc] != NULL)
		argc++;
	if (c->images_dir[0] != '\0') {
		argv[argc++] = "--images";
		argv[argc++] = c->images_dir;
	}
	if (c->libraries[0] != '\0' && l->role == STATION_BUILD) {
		argv[argc++] = "--libraries";
		argv[argc++] = c->libraries;
	}
	if (c->insecure_no_jail)
		argv[argc++] = "--insecure-no-jail";
	if (l->cpus != NULL) {
		argv[argc++] = "--cpus";
		argv[argc++] = cpulist_format(l->cpus, list, sizeof list);
	}
	if (l->cell_fd >= 0)
		argv[argc] = "--in-cell";
	st = child_start_with(pool, &l->child, argv, l->cell_fd, events, arg, why);

	l->ready = false;
	l->started = now;
	l->starts += st == ST_OK;
	if (st != ST_OK)
		station_ended(l, now);
	return st;
}

void
station_ended(struct station *l, double now)
{
	const bool	was_quick = !l->ready || now - l->started < QUICK_DEATH_S;
	unsigned	delay_s = 0;

	l->child = NULL;
	l->ready = false;
	l->next = NULL;
	l->taken_back = 0;
	json_decref(l->canary);		/* the next worker reports its own */
	l->canary = NULL;
	l->quick_deaths = was_quick ? l->quick_deaths + 1 : 0;
	if (l->quick_deaths > 1)
		delay_s = l->quick_deaths < 6 ? 1u << l->quick_deaths : RESTART_MAX_S;
	l->restart_at = now + delay_s;
	if (delay_s != 0)
		log_warn("cpu=%d its worker keeps dying, next start in %u s", l->cpu, delay_s);
}

/* By a fault of the host, or because its worker keeps dying; null: not paused. */
static void
put_pause(json_t *r, const struct station *l)
{
	const double	now = clock_now_s();
	const bool	is_dying = l->child == NULL && l->restart_at > now;
	const double	left_s = is_dying ? l->restart_at - now : streak_left_s(&l->streak, now);
	const bool	is_paused = is_dying || l->streak.pause_s != 0;

	(void)json_object_set_new(r, "paused", !is_paused ? json_null() :
	    json_string(is_dying ? "its worker keeps dying" : l->streak.reason));
	(void)json_object_set_new(r, "retry_s", is_paused ? json_real(left_s) : json_null());
}

json_t *
station_report(const struct station *l)
{
	json_t	*r = json_object();

	(void)json_object_set_new(r, "cpu", json_integer(l->cpu));
	(void)json_object_set_new(r, "cpus", cpus_json(l));
	(void)json_object_set_new(r, "pid",
	    l->child != NULL ? json_integer(child_pid(l->child)) : json_null());
	(void)json_object_set_new(r, "ready", json_boolean(l->ready));
	(void)json_object_set_new(r, "job",
	    l->job != NULL ? json_integer(l->job->id) : json_null());
	put_pause(r, l);
	return r;
}

void
station_saw(struct station *l, const json_t *timed)
{
	json_t	*canary = json_object_get(timed, "canary");

	if (!json_is_object(canary))
		return;
	json_decref(l->canary);
	l->canary = json_incref(canary);
}

json_t *
station_canary(const struct station *l)
{
	return json_pack("{s:i, s:o, s:O?, s:O?}", "cpu", l->cpu, "cpus", cpus_json(l),
	    "canary", l->canary, "quiet", l->quiet.doc);
}
