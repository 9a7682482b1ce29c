/* SPDX-License-Identifier: Apache-2.0 */
/* Routes whose request has a body: a document that is submitted, or the params of the call. */
#include <string.h>

#include "daemon/http/http_impl.h"

static json_t *
read_body(struct exchange *ex, struct fault *why, struct place *place)
{
	struct evbuffer	*in = evhttp_request_get_input_buffer(ex->req);
	size_t		 bytes = evbuffer_get_length(in);
	const char	*text = bytes != 0 ? (const char *)evbuffer_pullup(in, -1) : "";
	json_t		*body = NULL;

	*place = (struct place){ 0 };
	if (text == NULL)
		(void)fault_set(why, ST_NOMEM, "body");
	else if (bytes == 0)
		(void)fault_set(why, ST_BAD_REQUEST, "the body is empty");
	else if (line_parse(text, bytes, &body, place, why) == ST_OK && !json_is_object(body)) {
		(void)fault_set(why, ST_BAD_REQUEST, "the body must be one JSON object");
		json_decref(body);
		body = NULL;
	}
	return body;
}

json_t *
http_body_of(struct exchange *ex)
{
	struct place	 place;
	struct fault	 why;
	json_t		*body, *none;

	if (params_from_query(ex->route->query, http_query(ex), &none, &why) != ST_OK) {
		http_problem(ex, 0, &why, NULL);
		return NULL;
	}
	json_decref(none);
	if ((body = read_body(ex, &why, &place)) == NULL)
		http_problem(ex, 0, &why, place.line != 0 ? &place : NULL);
	return body;
}

/*
 * A body is the document itself, or the params of the call: {"jobs": […]}, {"ids": […]}.  Calls
 * about jobs that exist have no document.
 */
static bool
is_params(const struct exchange *ex, const json_t *body)
{
	const char	*wrap = ex->route->subject;

	if (wrap == NULL)
		return true;
	if (strcmp(wrap, "compare") == 0)
		return json_object_get(body, "ids") != NULL;
	return strcmp(wrap, "job") == 0 && (json_object_get(body, "jobs") != NULL ||
	    json_object_get(body, "variants") != NULL);
}

void
http_run_submit(struct exchange *ex)
{
	const char	*wrap = ex->route->subject;
	json_t		*body = http_body_of(ex), *params;

	if (body == NULL)
		return;
	ex->creates = wrap != NULL;
	if (is_params(ex, body)) {
		params = json_incref(body);
	} else {
		params = json_pack("{s:O}", wrap, body);
		ex->unwrap = wrap;
	}
	http_call(ex, params);
	json_decref(params);
	json_decref(body);
}
