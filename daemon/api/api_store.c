/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/api/api_impl.h"
#include "daemon/store/store_care.h"

/* Calls for operators. */
struct care {
	json_t	*params;		/* owned reference */
	json_t	*reply;			/* owned; NULL: handed on */
};

static enum status
read_check(struct store *store, void *arg, struct fault *why)
{
	return store_check(store, &((struct care *)arg)->reply, why);
}

static enum status
read_backup(struct store *store, void *arg, struct fault *why)
{
	struct care	*care = arg;
	const char	*path = json_string_value(json_object_get(care->params, "path"));
	enum status	 st = store_backup(store, path, why);

	if (st == ST_OK)
		care->reply = json_pack("{s:s}", "path", path);
	return st;
}

static enum status
answer_care(struct call *c, void *arg, struct fault *why)
{
	struct care	*care = arg;
	json_t		*reply = care->reply;

	(void)why;
	care->reply = NULL;
	return call_answer(c, reply);
}

static void
free_care(void *arg)
{
	struct care	*care = arg;

	json_decref(care->params);
	json_decref(care->reply);
	free(care);
}

static enum status
begin(struct call *c, const struct lookup *lookup, const json_t *params, struct fault *why)
{
	struct care	*care;

	if ((care = calloc(1, sizeof *care)) == NULL)
		return fault_set(why, ST_NOMEM, "store");
	care->params = json_incref((json_t *)(uintptr_t)params);
	return call_read(c, lookup, care);
}

enum status
api_store_check(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_check, answer_care, free_care, true };

	return begin(c, &lookup, params, why);
}

enum status
api_store_backup(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_backup, answer_care, free_care, true };
	const char	*path = json_string_value(json_object_get(params, "path"));

	if (path[0] != '/')
		return fault_at(why, ST_BAD_REQUEST, "path", "must be absolute");
	return begin(c, &lookup, params, why);
}
