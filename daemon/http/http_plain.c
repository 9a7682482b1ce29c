/* SPDX-License-Identifier: Apache-2.0 */
/* What watchers of the daemon ask for: is it there, is it ready, its metrics. */
#include <stdlib.h>

#include "daemon/api/readiness.h"
#include "daemon/http/http_impl.h"

static void
answer_text(struct exchange *ex, const char *type,
    void (*put)(const struct api *, struct evbuffer *))
{
	struct evbuffer	*body = evbuffer_new();
	struct fault	 why;

	if (body == NULL) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
		return;
	}
	put(ex->http->api, body);
	http_send(ex, 200, type, body, HTTP_FRESH);
	evbuffer_free(body);
}

static void
put_ok(const struct api *api, struct evbuffer *out)
{
	(void)api;
	(void)evbuffer_add(out, "ok\n", 3);
}

void
http_run_healthz(struct exchange *ex)
{
	answer_text(ex, "text/plain; charset=utf-8", put_ok);
}

void
http_run_readyz(struct exchange *ex)
{
	json_t		*readiness = api_readiness(ex->http->api);
	char		*text = json_dumps(readiness, JSON_COMPACT);
	struct evbuffer	*body = evbuffer_new();
	struct fault	 why;

	if (text == NULL || body == NULL || evbuffer_add_printf(body, "%s\n", text) < 0) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
	} else {
		http_send(ex, api_is_ready(readiness) ? 200 : 503, "application/json", body,
		    HTTP_FRESH);
	}
	if (body != NULL)
		evbuffer_free(body);
	free(text);
	json_decref(readiness);
}

void
http_run_metrics(struct exchange *ex)
{
	answer_text(ex, "text/plain; version=0.0.4; charset=utf-8", api_put_metrics);
}
