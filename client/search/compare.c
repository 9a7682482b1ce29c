/* SPDX-License-Identifier: Apache-2.0 */
#include "client/connect/receive.h"
#include "client/search/compare.h"

/* Results that have come, at the places of their ids. */
struct arrivals {
	const json_t	*ids;			/* borrowed */
	json_t		*documents;		/* borrowed; as many */
};

static enum status
put_result(void *arg, const json_t *document, const struct result *r, struct fault *why)
{
	struct arrivals	*a = arg;
	json_t		*id;
	size_t		 i;

	json_array_foreach((json_t *)(uintptr_t)a->ids, i, id)
		if (json_integer_value(id) == r->job &&
		    json_array_set(a->documents, i, (json_t *)(uintptr_t)document) != 0)
			return fault_set(why, ST_NOMEM, "results");
	return ST_OK;
}

static enum status
receive_all(struct compare *c, struct fault *why)
{
	struct arrivals	a = { c->ids, json_array() };
	enum status	st;

	for (size_t i = 0; i < json_array_size(c->ids); i++)
		(void)json_array_append_new(a.documents, json_null());
	st = receive_results(c->connection, c->ids, &c->progress, put_result, &a, why);
	if (st == ST_OK)
		st = results_read(&c->results, a.documents, why);
	json_decref(a.documents);
	return st;
}

enum status
compare_run(struct compare *c, json_t *params, struct fault *why)
{
	json_t		*reply;
	enum status	 st;

	compare_release(c);
	(void)json_object_set_new(params, "follow", json_true());
	if ((st = connection_call(c->connection, "compare.run", params, &reply, why)) != ST_OK)
		return st;
	c->ids = json_incref(json_object_get(reply, "ids"));
	json_decref(reply);
	return receive_all(c, why);
}

void
compare_release(struct compare *c)
{
	json_decref(c->ids);
	c->ids = NULL;
	results_release(&c->results);
}

enum status
compare_confirm(struct compare *c, struct confirm *confirm, struct fault *why)
{
	json_t		*params;
	enum status	 st = ST_OK;

	compare_release(c);
	while (st == ST_OK && (params = confirm_next_round(confirm)) != NULL)
		if ((st = compare_run(c, params, why)) == ST_OK)
			confirm_add_round(confirm, &c->results);
	return st;
}
