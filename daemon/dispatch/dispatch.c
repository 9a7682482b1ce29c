/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/dispatch/ahead.h"
#include "daemon/dispatch/dispatch_impl.h"
#include "daemon/hold/delegation.h"
#include "daemon/hold/hold.h"
#include "daemon/setup/places.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum { EXPIRE_TICK_NS = 50000000 };	/* at most, of many jobs at once */

static void
start_missing(struct dispatch *d, double now)
{
	static const struct child_events	events = { dispatch_took, dispatch_ended };
	struct fault				why;

	for (unsigned i = 0; i < d->nstations && !d->is_draining; i++) {
		struct station	*l = &d->stations[i];

		if (l->child == NULL && l->restart_at <= now &&
		    station_start(l, d->pool, d->config, &events, d, now,
		    &why) != ST_OK)
			log_error("cpu=%d %s", l->cpu, why.text);
	}
}

static void
kill_stuck(struct dispatch *d, double now)
{
	for (unsigned i = 0; i < d->nstations; i++) {
		struct station	*l = &d->stations[i];

		if (l->child == NULL)
			continue;
		if ((l->job != NULL || l->taken_back != 0) && l->give_up < now) {
			log_error("job=%" PRId64 " cpu=%d its worker is stuck, killed",
			    l->job != NULL ? l->job->id : l->taken_back, l->cpu);
			child_kill(l->child, KILL_STUCK);
		}
		if (station_is_mute(l, now)) {
			log_error("cpu=%d its worker sent no greeting in %d s, killed", l->cpu,
			    STATION_GREETING_S);
			child_kill(l->child, KILL_MUTE);
		}
	}
}

/* The wall clock was set if it moved against the monotonic one. */
static void
watch_clock(struct dispatch *d, double now, double wall)
{
	const double	apart = wall - now;

	if (fabs(apart - d->clocks_apart) > 1)
		queue_clock_was_set(d->queue, (int64_t)wall);
	d->clocks_apart = apart;
}

void
dispatch_tick(struct dispatch *d)
{
	const double	now = clock_now_s(), wall = clock_wall_s();

	start_missing(d, now);
	kill_stuck(d, now);
	watch_clock(d, now, wall);
	if (dispatch_may_store(d))
		dispatch_expire(d, (int64_t)wall, EXPIRE_TICK_NS);
	cancels_again(&d->cancels);
	retry_tick(&d->retry);
	dispatch_kick(d);
}

void
dispatch_on_news(struct dispatch *d, news_fn *fn, awaited_fn *is_awaited, void *arg)
{
	d->endings.on_news = fn;
	d->endings.is_awaited = is_awaited;
	d->endings.news_arg = arg;
}

void
dispatch_drain(struct dispatch *d)
{
	d->is_draining = true;
	ahead_take_back(d, NULL);
}

/* Each width of a slot once, ascending. */
static void
set_widths(const struct dispatch *d)
{
	unsigned	width[TOPOLOGY_MAX_SLOTS], n = 0;

	for (unsigned w = 1; w <= d->widest; w++)
		for (unsigned i = d->nbuilders; i < d->nstations; i++)
			if (station_width(&d->stations[i]) == w) {
				width[n++] = w;
				break;
			}
	queue_set_widths(d->queue, width, n);
}

enum status
dispatch_new(struct dispatch **out, const struct config *c, const struct topology *t,
    struct store *store, struct queue *queue, struct child_pool *pool, struct fault *why)
{
	struct dispatch	*d = calloc(1, sizeof *d);

	*out = NULL;
	if (d == NULL)
		return fault_set(why, ST_NOMEM, "dispatch");
	d->config = c;
	d->topology = t;
	d->store = store;
	quiet_init(&d->quiet, store, t);
	briefs_init(&d->briefs, store);
	d->queue = queue;
	once_init(&d->once, store, t, &c->reuse_results);
	d->endings = (struct endings){ .store = store, .queue = queue };
	topology_class(t, d->host_class);
	d->endings.host_class = d->host_class;
	d->pool = pool;
	d->nbuilders = places_builders(t, c->builders);
	d->nstations = d->nbuilders + t->nslots;
	if ((d->stations = calloc(d->nstations, sizeof *d->stations)) == NULL ||
	    cancels_init(&d->cancels, child_pool_base(pool), dispatch_go_on_cancelling, d,
	    why) != ST_OK) {
		dispatch_free(d);
		return fault_set(why, ST_NOMEM, "dispatch");
	}
	d->retry = (struct retry){ .queue = queue, .state_dir = c->state_dir,
	    .stations = d->stations };
	for (unsigned i = 0; i < d->nstations; i++) {
		struct station	*l = &d->stations[i];
		bool		 builds = i < d->nbuilders;

		l->role = builds ? STATION_BUILD : STATION_TIME;
		l->cell_fd = -1;
		l->supervise_cpu = builds ? places_builder_cpu(t, i) :
		    places_supervisor_cpu(t, d->nbuilders, i - d->nbuilders);
		l->cpu = builds ? l->supervise_cpu : t->slot_cpu[i - d->nbuilders];
		l->cpus = builds ? NULL : &t->slot[i - d->nbuilders];
		l->caches = &t->slot_caches[builds ? 0 : i - d->nbuilders];
		if (station_width(l) > d->widest)
			d->widest = station_width(l);
	}
	set_widths(d);
	*out = d;
	return ST_OK;
}

void
dispatch_use_host(struct dispatch *d, struct hold *host)
{
	d->host = host;
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		d->stations[i].cell_fd = hold_slot_fd(host, d->stations[i].cpu);
}

void
dispatch_use_cells(struct dispatch *d, const struct delegation *cells)
{
	for (unsigned i = 0; i < d->nbuilders; i++)
		d->stations[i].cell_fd = delegation_cell(cells, i);
}

void
dispatch_use_calibrated(struct dispatch *d, const struct calibrated *c, const char *reason)
{
	char	*text = c != NULL ? shape_put(&calibrated_shape, c, SHAPE_EXACT) : NULL;

	json_decref(d->calibrated);
	d->calibrated = text != NULL ? json_loads(text, 0, NULL) : NULL;
	free(text);
	(void)snprintf(d->uncalibrated, sizeof d->uncalibrated, "%s", c == NULL ? reason : "");
}

bool
dispatch_stream(struct dispatch *d, bool on)
{
	if (on)
		return streamer_start(&d->streamer, d->pool, d->config, d->topology);
	streamer_stop(&d->streamer);
	return true;
}

void
dispatch_ask(struct dispatch *d, may_time_fn *fn, void *arg)
{
	d->may_time = fn;
	d->may_time_arg = arg;
}

void
dispatch_trial_with(struct dispatch *d, trial_fn *fn, void *arg)
{
	d->retry.trial = (struct trial){ .ask = fn, .arg = arg };
}

void
dispatch_use_trial(struct dispatch *d, int64_t job)
{
	trial_has(&d->retry.trial, job, clock_now_s());
	dispatch_kick(d);
}

struct hold *
dispatch_host(const struct dispatch *d)
{
	return d->host;
}

enum status
dispatch_start(struct dispatch *d, struct fault *why)
{
	start_missing(d, clock_now_s());
	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].child == NULL)
			return fault_set(why, ST_IO, "%s cannot be started",
			    d->config->worker_path);
	return ST_OK;
}

void
dispatch_store(struct dispatch *d)
{
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		quiet_store(&d->quiet, &d->stations[i].quiet, d->stations[i].cpu,
		    hold_hash(d->host), clock_wall_s());
}

void
dispatch_free(struct dispatch *d)
{
	if (d == NULL)
		return;
	for (unsigned i = 0; d->stations != NULL && i < d->nstations; i++)
		station_release(&d->stations[i]);
	free(d->stations);
	cancels_release(&d->cancels);
	retry_release(&d->retry);
	once_release(&d->once);
	json_decref(d->calibrated);
	briefs_release(&d->briefs);
	free(d);
}
