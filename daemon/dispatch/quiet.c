/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/dispatch/quiet.h"
#include "proto/base/log.h"

void
quiet_init(struct quiet *q, struct store *store, const struct topology *t)
{
	q->store = store;
	topology_machine(t, q->machine);
}

json_t *
quiet_recall(const struct quiet *q, int cpu, const char *fitness)
{
	struct quiet_row	row = { .machine = q->machine, .fitness = fitness, .cpu = cpu };
	struct fault		why;
	json_t			*doc;
	enum status		 st = store_quiet(q->store, &row, &doc, &why);

	if (st == ST_OK)
		(void)json_object_set_new(doc, "taken", json_real(row.taken));
	else if (st != ST_NOT_FOUND)
		log_warn("cpu=%d %s", cpu, why.text);
	return doc;
}

json_t *
quiet_keep(const struct quiet *q, int cpu, const char *fitness, const json_t *told, const json_t *before, double now)
{
	const json_t		*met_s = json_object_get(told, "met_s"), *taken = json_object_get(before, "taken");
	struct quiet_row	 row = { .machine = q->machine, .fitness = fitness, .cpu = cpu, .taken = now };
	struct fault		 why;
	json_t			*doc = json_copy((json_t *)told);

	if (json_is_number(met_s))
		row.taken = now - json_number_value(met_s);
	else if (json_is_number(taken))
		row.taken = json_number_value(taken);
	if (store_keep_quiet(q->store, &row, told, &why) != ST_OK)
		log_error("cpu=%d what is known of quiet is lost: %s", cpu, why.text);
	(void)json_object_set_new(doc, "taken", json_real(row.taken));
	return doc;
}
