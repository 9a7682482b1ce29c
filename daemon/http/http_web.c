/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard: its page, the page's files, a sweep's page as one file. */
#include <stdio.h>
#include <string.h>

#include "daemon/http/http_impl.h"
#include "daemon/web/web.h"

enum { SWEEP_BYTES = 128 };	/* of the name of a sweep whose data are announced */

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

/* The sweep whose page this is, if its name is spelled alike in all addresses; or NULL. */
static const char *
plain_sweep(const struct exchange *ex)
{
	static const char	plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-_.~";
	static const char	below[] = "/sweeps/";
	const char	*path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(ex->req));
	const char	*name = path + sizeof below - 1;

	return strncmp(path, below, sizeof below - 1) == 0 && name[0] != '\0' &&
	    strlen(name) <= SWEEP_BYTES && name[strspn(name, plain)] == '\0' ? name : NULL;
}

/*
 * A browser that is told what a page needs asks for it before it has read the page.  The data's
 * addresses have to be those that the page asks for (daemon/web/page/early.js); a reader who shows
 * a token only there would get none.
 */
static void
announce(struct exchange *ex)
{
	const char	*sweep = ex->is_known ? plain_sweep(ex) : NULL;
	char		 link[256 + 2 * SWEEP_BYTES] = "</web/assay.js>; rel=preload; as=script";
	const size_t	 n = strlen(link);

	if (sweep != NULL)
		(void)snprintf(link + n, sizeof link - n,
		    ", </v1/sweeps/%s>; rel=preload; as=fetch; crossorigin"
		    ", </v1/sweeps/%s/points?limit=20000&after=0>; rel=preload; as=fetch; "
		    "crossorigin", sweep, sweep);
	http_add_header(ex, "Link", link);
}

/* Which one it is to be, the page finds by its address. */
void
http_run_page(struct exchange *ex)
{
	announce(ex);
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
