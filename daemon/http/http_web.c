/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard: its page, the page's files, a sweep's page as one file. */
#include <string.h>

#include "daemon/http/http_impl.h"
#include "daemon/web/web.h"

bool
http_is_page(const struct exchange *ex)
{
	static const char *const	whole[] = { "/", "/history", "/people" };
	static const char *const	below[] = { "/sweeps/", "/jobs/", "/web/" };
	const char	*path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(ex->req));

	if (path == NULL || (evhttp_request_get_command(ex->req) != EVHTTP_REQ_GET &&
	    evhttp_request_get_command(ex->req) != EVHTTP_REQ_HEAD))
		return false;
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		if (strcmp(path, whole[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof below / sizeof below[0]; i++)
		if (strncmp(path, below[i], strlen(below[i])) == 0)
			return true;
	return false;
}

static void
send_file(struct exchange *ex, const struct web_file *f)
{
	http_add_header(ex, "Content-Security-Policy", web_policy(api_web(ex->http->api)));
	http_add_header(ex, "Referrer-Policy", "no-referrer");
	http_send_file(ex, f);
}

/* Which one it is to be, the page finds by its address. */
void
http_run_page(struct exchange *ex)
{
	send_file(ex, web_page(api_web(ex->http->api)));
}

void
http_run_file(struct exchange *ex)
{
	const struct web_file	*file = web_find(api_web(ex->http->api), ex->subject);
	struct fault		 why;

	if (file != NULL) {
		send_file(ex, file);
		return;
	}
	(void)fault_set(&why, ST_NOT_FOUND, "there is nothing at /web/%.100s", ex->subject);
	http_problem(ex, 0, &why, NULL);
}
