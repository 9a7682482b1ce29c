/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/dispatch/station/quiet.h"
#include "daemon/store/store_lock.h"
#include "proto/base/log.h"

void
quiet_init(struct quiet *q, struct store *store, const struct topology *t)
{
	q->store = store;
	topology_machine(t, q->machine);
}

void
quiet_forget(struct quiet_state *s)
{
	json_decref(s->doc);
	*s = (struct quiet_state){ .doc = NULL };
}

void
quiet_recall(const struct quiet *q, struct quiet_state *s, int cpu, const char *fitness)
{
	struct quiet_row	row = { .machine = q->machine, .fitness = fitness, .cpu = cpu };
	struct fault		why;
	enum status		st;

	quiet_forget(s);
	st = store_quiet(q->store, &row, &s->doc, &why);
	s->taken = row.taken;
	if (st == ST_OK)
		(void)json_object_set_new(s->doc, "taken", json_real(row.taken));
	else if (st != ST_NOT_FOUND)
		log_warn("cpu=%d %s", cpu, why.text);
}

void
quiet_store(const struct quiet *q, struct quiet_state *s, int cpu, const char *fitness, double now)
{
	const struct quiet_row	row = { .machine = q->machine, .fitness = fitness, .cpu = cpu,
				    .taken = s->taken };
	struct fault		why;

	if (!s->is_dirty)
		return;
	if (store_keep_quiet(q->store, &row, s->doc, &why) != ST_OK) {
		if (store_is_locked(q->store))
			return;		/* it stays dirty, for the next time */
		log_error("cpu=%d gate state is not stored: %s", cpu, why.text);
	}
	s->stored = now;
	s->is_dirty = false;
}

void
quiet_keep(const struct quiet *q, struct quiet_state *s, int cpu, const char *fitness,
    const json_t *reported, double now)
{
	const json_t	*met_s = json_object_get(reported, "met_s");

	if (json_is_number(met_s))
		s->taken = now - json_number_value(met_s);
	else if (s->doc == NULL)
		s->taken = now;
	json_decref(s->doc);
	s->doc = json_copy((json_t *)(uintptr_t)reported);
	(void)json_object_set_new(s->doc, "taken", json_real(s->taken));
	s->is_dirty = true;
	/* the wall clock may have been set back */
	if (now < s->stored || now - s->stored >= QUIET_STORE_S)
		quiet_store(q, s, cpu, fitness, now);
}
