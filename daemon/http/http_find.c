/* SPDX-License-Identifier: Apache-2.0 */
/* From a request's path to its route, and what else may be asked for there. */
#include <stdio.h>
#include <string.h>

#include "daemon/http/http_impl.h"
#include "daemon/http/http_link.h"

enum { ALLOW_BYTES = 64 };

/* A path against "/v1/jobs/:": *subject and its length are what stands for ":". */
static bool
path_matches(const char *pattern, const char *path, const char **subject, size_t *bytes)
{
	*subject = NULL;
	while (*pattern != '\0') {
		if (*pattern == ':') {
			*subject = path;
			*bytes = strcspn(path, "/");
			if (*bytes == 0)
				return false;
			path += *bytes;
			pattern++;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return *path == '\0';
}

static enum status
take_subject(struct exchange *ex, const char *subject, size_t bytes, struct fault *why)
{
	if (subject == NULL)
		return ST_OK;
	if ((ex->subject = strndup(subject, bytes)) == NULL)
		return fault_set(why, ST_NOMEM, "request");
	return params_unescape(ex->subject, false, why);
}

/* allow: bits of EVHTTP_REQ_. */
static void
put_allow(char text[ALLOW_BYTES], unsigned allow)
{
	(void)snprintf(text, ALLOW_BYTES, "%s%s%sOPTIONS",
	    (allow & EVHTTP_REQ_GET) != 0 ? "GET, HEAD, " : "",
	    (allow & EVHTTP_REQ_POST) != 0 ? "POST, " : "",
	    (allow & EVHTTP_REQ_DELETE) != 0 ? "DELETE, " : "");
}

static const char *
path_of(const struct exchange *ex)
{
	const char	*path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(ex->req));

	return path != NULL ? path : "";
}

/* "OPTIONS *" asks for what any path takes. */
enum status
http_find_route(struct exchange *ex, unsigned method, struct fault *why)
{
	const char	*path = path_of(ex), *subject = NULL;
	const bool	 is_any = method == EVHTTP_REQ_OPTIONS && strcmp(path, "*") == 0;
	char		 text[ALLOW_BYTES];
	unsigned	 allow = 0;
	size_t		 bytes = 0;

	for (const struct route *r = http_routes; r->method != 0; r++) {
		if (!is_any && !path_matches(r->pattern, path, &subject, &bytes))
			continue;
		if (r->method == method) {
			ex->route = r;
			return take_subject(ex, subject, bytes, why);
		}
		allow |= r->method;
	}
	if (allow == 0)
		return fault_set(why, ST_NOT_FOUND, "there is nothing at %.200s", path);
	put_allow(text, allow);
	http_add_header(ex, "Allow", text);
	return method == EVHTTP_REQ_OPTIONS ? ST_OK :
	    fault_set(why, ST_BAD_REQUEST, "%.200s takes %s", path, text);
}

/* Pages go on by `cursor`, columns of points by `after`. */
static const char *
name_of_next(const struct exchange *ex)
{
	for (const struct api_param *p = ex->route->query; p->name != NULL; p++)
		if (strcmp(p->name, "after") == 0)
			return p->name;
	return "cursor";
}

void
http_link_next(struct exchange *ex, const char *next)
{
	struct evbuffer	*link = evbuffer_new();
	const char	*text;

	if (ex->req != NULL && link != NULL && http_put_next_link(link, path_of(ex),
	    http_query(ex), name_of_next(ex), next) && evbuffer_add(link, "", 1) == 0 &&
	    (text = (const char *)evbuffer_pullup(link, -1)) != NULL)
		http_add_header(ex, "Link", text);
	if (link != NULL)
		evbuffer_free(link);
}
