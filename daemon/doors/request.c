/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/request.h"
#include "daemon/view/params.h"

static enum status
request_id(const json_t *id, char **text, struct fault *why)
{
	*text = NULL;
	if (id == NULL)
		return ST_OK;
	if (!json_is_string(id) && !json_is_number(id))
		return fault_at(why, ST_BAD_REQUEST, "id", "must be a number or a string");
	if ((*text = json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT)) == NULL)
		return fault_set(why, ST_NOMEM, "id");
	if (strlen(*text) <= REQUEST_ID_BYTES)
		return ST_OK;
	free(*text);
	*text = NULL;
	return fault_at(why, ST_BAD_REQUEST, "id", "longer than %d bytes", REQUEST_ID_BYTES);
}

static enum status
unknown_member(const char *name, struct fault *why)
{
	static const char *const	names[] = { "jsonrpc", "id", "method", "params", NULL };
	const char			*nearest = nearest_name(name, names);

	(void)fault_at(why, ST_BAD_REQUEST, name, "unknown member of a request");
	if (nearest != NULL)
		fault_hint(why, "did you mean \"%s\"?", nearest);
	return ST_BAD_REQUEST;
}

enum status
request_read(struct request *r, json_t *doc, struct fault *why)
{
	const char	*version, *name;
	json_t		*member;
	enum status	 st;

	*r = (struct request){ .params = json_object_get(doc, "params") };
	if (!json_is_object(doc))
		return fault_set(why, ST_BAD_REQUEST,
		    "a request is one JSON object, no array and no bare value");
	if ((st = request_id(json_object_get(doc, "id"), &r->id, why)) != ST_OK)
		return st;
	version = json_string_value(json_object_get(doc, "jsonrpc"));
	if (version == NULL || strcmp(version, "2.0") != 0)
		return fault_at(why, ST_BAD_REQUEST, "jsonrpc", "must be \"2.0\"");
	if ((r->method = json_string_value(json_object_get(doc, "method"))) == NULL)
		return fault_at(why, ST_BAD_REQUEST, "method", "must be a string");
	json_object_foreach(doc, name, member)
		if (strcmp(name, "jsonrpc") != 0 && strcmp(name, "id") != 0 &&
		    strcmp(name, "method") != 0 && strcmp(name, "params") != 0)
			return unknown_member(name, why);
	return ST_OK;
}
