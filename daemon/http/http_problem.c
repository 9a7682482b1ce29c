/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/http.h>

#include "daemon/http/http_impl.h"

/* Faults on a route are reported as problem documents (RFC 9457). */

static const struct {
	int		 code;
	const char	*title;
} titles[] = {
	{ 200, "OK" }, { 201, "Created" }, { 204, "No Content" }, { 304, "Not Modified" },
	{ 400, "Bad Request" }, { 401, "Unauthorized" }, { 403, "Forbidden" },
	{ 404, "Not Found" }, { 405, "Method Not Allowed" }, { 409, "Conflict" },
	{ 413, "Content Too Large" }, { 415, "Unsupported Media Type" },
	{ 422, "Unprocessable Content" }, { 429, "Too Many Requests" },
	{ 500, "Internal Server Error" }, { 503, "Service Unavailable" },
};

const char *
http_title(int code)
{
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		if (titles[i].code == code)
			return titles[i].title;
	return "";
}

static int
code_of(const struct fault *why)
{
	switch (why->status) {
	case ST_BAD_REQUEST:
		return 400;
	case ST_BAD_SPEC:
		return 422;
	case ST_DENIED:
		return 403;
	case ST_NOT_FOUND:
		return 404;
	case ST_CONFLICT:
		return 409;
	case ST_FULL:
		return why->of_user ? 429 : 503;
	case ST_UNAVAILABLE:
		return 503;
	default:
		return 500;
	}
}

/* "job.spec.x" of a body that is the job itself is "spec.x". */
static const char *
member_in_body(const struct exchange *ex, const struct fault *why)
{
	size_t	n = ex->unwrap != NULL ? strlen(ex->unwrap) : 0;

	if (n == 0 || strncmp(why->member, ex->unwrap, n) != 0)
		return why->member;
	return why->member[n] == '.' ? why->member + n + 1 : why->member[n] == '\0' ?
	    "" : why->member;
}

static json_t *
problem_json(int code, const struct fault *why, const char *member, const struct place *place)
{
	json_t	*p = json_pack("{s:s,s:s,s:i,s:s,s:s}", "type", "about:blank", "title",
		    http_title(code), "status", code, "detail", why->text, "word",
		    status_word(why->status));

	if (member[0] != '\0')
		(void)json_object_set_new(p, "member", json_string(member));
	if (why->hint[0] != '\0')
		(void)json_object_set_new(p, "hint", json_string(why->hint));
	if (place != NULL)
		(void)json_object_set_new(p, "place",
		    json_pack("{s:I,s:I,s:I}", "line", (json_int_t)place->line, "column",
		    (json_int_t)place->column, "offset", (json_int_t)place->offset));
	return p;
}

/* The document as it is sent; NULL: no memory. */
static struct evbuffer *
problem_text(int code, const struct fault *why, const char *member, const struct place *place)
{
	struct evbuffer	*body = evbuffer_new();
	json_t		*p = problem_json(code, why, member, place);
	char		*text = json_dumps(p, JSON_COMPACT);

	json_decref(p);
	if (body != NULL && (text == NULL || evbuffer_add_printf(body, "%s\n", text) < 0)) {
		evbuffer_free(body);
		body = NULL;
	}
	free(text);
	return body;
}

void
http_problem(struct exchange *ex, int code, const struct fault *why, const struct place *place)
{
	struct evbuffer	*body;

	if (code == 0)
		code = code_of(why);
	if ((body = problem_text(code, why, member_in_body(ex, why), place)) == NULL) {
		if (ex->req != NULL)
			evhttp_send_error(ex->req, 500, NULL);
		exchange_free(ex);
		return;
	}
	if ((code == 503 || code == 429) && ex->req != NULL)
		http_add_header(ex, "Retry-After", "1");
	http_send(ex, code, HTTP_PROBLEM, body, HTTP_FRESH);
	evbuffer_free(body);
}
