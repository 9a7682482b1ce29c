/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of header fields and of query strings, as the HTTP door reads them: the first byte chooses.
 * A link to the next page is one line with one address, whatever came.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api.h"
#include "daemon/http/http_fields.h"
#include "daemon/http/http_link.h"
#include "tests/fuzz/fuzz.h"

static void
fields(const char *text)
{
	const int64_t	id = http_event_id(text);

	(void)http_accepts(text, "gzip");
	(void)http_prefers(text, "application/x-ndjson", "application/json");
	(void)http_has_tag(text, "0123456789abcdef");
	must(id >= -1 && (id < 0 || text[strspn(text, "0123456789")] == '\0'));
	(void)http_is_loopback_name(text);
	(void)http_is_own_page("http://", text, NULL, "localhost");
	(void)http_is_own_page("http://", "http://localhost", text, text);
}

static void
duration(const char *text)
{
	const int64_t	ms = params_duration_ms(text);

	must(ms >= -1 && ms <= INT64_C(24) * 60 * 60 * 1000);
	must(ms < 0 || (text[0] >= '0' && text[0] <= '9'));
}

static void
query_of_sweeps(const char *text)
{
	struct fault	 why;
	json_t		*params;

	if (params_from_query(sweep_stream_params, text, &params, &why) == ST_OK)
		must(params_check(sweep_stream_params, params, &why) == ST_OK);
	else
		must(params == NULL && why.text[0] != '\0');
	json_decref(params);
}

/* The text is a query and, behind a '#', the path. */
static void
link_to_next(char *text)
{
	struct evbuffer	*out = evbuffer_new();
	char		*path = strchr(text, '#');
	const char	*link;
	size_t		 n;

	if (path != NULL)
		*path++ = '\0';
	must(out != NULL && http_put_next_link(out, path != NULL ? path : "/", text, "cursor",
	    "s.7"));
	must(evbuffer_add(out, "", 1) == 0);
	link = (const char *)evbuffer_pullup(out, -1);
	n = strcspn(link, ">");
	must(link[0] == '<');
	must(strcmp(link + n, ">; rel=\"next\"") == 0 && strpbrk(link, "\r\n") == NULL);
	must(n >= 10 && memcmp(link + n - 10, "cursor=s.7", 10) == 0);
	evbuffer_free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	*text;

	if (size < 1 || (text = malloc(size)) == NULL)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (data[0] % 4) {
	case 0:
		duration(text);
		break;
	case 1:
		query_of_sweeps(text);
		break;
	case 2:
		link_to_next(text);
		break;
	default:
		fields(text);
		break;
	}
	free(text);
	return 0;
}
