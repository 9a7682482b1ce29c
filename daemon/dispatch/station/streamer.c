/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "daemon/dispatch/station/streamer.h"
#include "proto/base/log.h"

enum { NUMBER_BYTES = 24 };

static void
on_message(void *arg, struct child *c, struct msg *m)
{
	(void)arg;
	(void)c;
	(void)m;
}

static void
on_end(void *arg, struct child *c, int wait_status)
{
	struct streamer	*s = arg;

	(void)wait_status;
	if (s->child == c)
		s->child = NULL;
}

/* -1: none. */
static int
free_cpu(const struct topology *t)
{
	for (unsigned i = 0; i < t->nhouse; i++)
		if (!CPU_ISSET((unsigned)t->house_cpu[i], &t->timing_cores))
			return t->house_cpu[i];
	return -1;
}

bool
streamer_start(struct streamer *s, struct child_pool *pool, const struct config *c,
    const struct topology *t)
{
	static const struct child_events	events = { on_message, on_end };
	const int				cpu = free_cpu(t);
	char					number[NUMBER_BYTES], cache[NUMBER_BYTES];
	const char				*argv[] = { c->worker_path, "--role", "stream",
						    "--cpu", number, "--l3", cache,
						    "--state", c->state_dir, NULL };
	struct fault				why;

	if (s->child != NULL || cpu < 0)
		return s->child != NULL;
	(void)snprintf(number, sizeof number, "%d", cpu);
	(void)snprintf(cache, sizeof cache, "%zu", topology_largest_cache(t));
	if (child_start(pool, &s->child, argv, &events, s, &why) == ST_OK)
		return true;
	log_warn("cpu=%d the streamer cannot be started: %s", cpu, why.text);
	s->child = NULL;
	return false;
}

void
streamer_stop(struct streamer *s)
{
	if (s->child != NULL)
		child_kill(s->child, KILL_DONE);
	s->child = NULL;
}
