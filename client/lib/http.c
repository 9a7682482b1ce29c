/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read-only calls over HTTP.  A method and its parameters become a GET route and its query string.
 * A problem document (RFC 9457) becomes a fault.  Only this file includes libcurl.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "client/lib/conn.h"

enum { URL_BYTES = 4096, PART_BYTES = 1024, FIRST_BYTES = 64 << 10 };

struct assay_http {
	CURL	*easy;			/* owned */
	CURLM	*multi;			/* owned */
	char	 base[URL_BYTES];	/* "http://127.0.0.1:8023"; of a socket http://localhost */
	char	 socket_path[108];	/* "" none */
	int	 stop_fd;
};

struct body {
	char	*bytes;			/* owned */
	size_t	 used, room;
};

/* ---- opening and closing ---- */

static bool
is_unix_address(const char *address)
{
	return strncmp(address, "http+unix:", strlen("http+unix:")) == 0;
}

static enum status
set_address(struct assay_http *h, const char *address, struct fault *why)
{
	const char	*path = address + strlen("http+unix:");
	size_t		 n = strlen(address);

	if (is_unix_address(address)) {
		path += strncmp(path, "//", 2) == 0 ? 2 : 0;
		if (path[0] == '\0' || strlen(path) >= sizeof h->socket_path)
			return fault_set(why, ST_BAD_REQUEST,
			    "%s: the path of a socket has 1 to %zu bytes", address,
			    sizeof h->socket_path - 1);
		(void)strcpy(h->socket_path, path);
		(void)strcpy(h->base, "http://localhost");
		return ST_OK;
	}
	if (strncmp(address, "http://", 7) != 0 || n >= 512) {
		(void)fault_set(why, ST_BAD_REQUEST, "%s: is no address of a daemon", address);
		fault_hint(why, "http://127.0.0.1:PORT or http+unix:PATH");
		return ST_BAD_REQUEST;
	}
	(void)strcpy(h->base, address);
	while (h->base[n - 1] == '/')
		h->base[--n] = '\0';
	return ST_OK;
}

enum status
assay_http_open(struct assay_http **out, const char *address, struct fault *why)
{
	struct assay_http	*h;
	enum status		 st;

	*out = NULL;
	if ((h = calloc(1, sizeof *h)) == NULL)
		return fault_set(why, ST_NOMEM, "connection");
	h->stop_fd = -1;
	if ((st = set_address(h, address, why)) != ST_OK)
		goto fail;
	h->multi = curl_multi_init();
	h->easy = curl_easy_init();
	if (h->multi == NULL || h->easy == NULL) {
		st = fault_set(why, ST_NOMEM, "connection");
		goto fail;
	}
	*out = h;
	return ST_OK;
fail:
	assay_http_close(h);
	return st;
}

void
assay_http_close(struct assay_http *h)
{
	if (h == NULL)
		return;
	if (h->easy != NULL)
		curl_easy_cleanup(h->easy);
	if (h->multi != NULL)
		(void)curl_multi_cleanup(h->multi);
	free(h);
}

void
assay_http_set_stop_fd(struct assay_http *h, int fd)
{
	h->stop_fd = fd;
}

/* ---- methods ↔ routes ---- */

/* `id`: the parameter that goes into the path; NULL: none. */
static const struct route {
	const char	*method, *before, *id, *after;
} routes[] = {
	{ "server.info", "/v1/info", NULL, "" },
	{ "host.get", "/v1/host", NULL, "" },
	{ "queue.get", "/v1/queue", NULL, "" },
	{ "job.get", "/v1/jobs/", "id", "" },
	{ "sweep.get", "/v1/sweeps/", "sweep", "" },
	{ "sweep.list", "/v1/sweeps", NULL, "" },
	{ "sweep.export", "/v1/sweeps/", "sweep", "/export" },
	{ "results.best", "/v1/sweeps/", "sweep", "/best" },
	{ "results.query", "/v1/results", NULL, "" },
};

static const struct route *
find_route(const char *method)
{
	for (unsigned i = 0; i < sizeof routes / sizeof routes[0]; i++)
		if (strcmp(routes[i].method, method) == 0)
			return &routes[i];
	return NULL;
}

/* A parameter's value in a URL, before escaping: "3", "0.5", "dot cold", "1,2,3". */
static bool
plain_text(const json_t *value, char *buf, size_t bytes)
{
	const json_t	*each;
	size_t		 used = 0, i;

	if (json_is_string(value))
		return snprintf(buf, bytes, "%s", json_string_value(value)) < (int)bytes;
	if (json_is_integer(value))
		return snprintf(buf, bytes, "%" JSON_INTEGER_FORMAT,
		    json_integer_value(value)) < (int)bytes;
	if (json_is_real(value))
		return snprintf(buf, bytes, "%.17g", json_real_value(value)) < (int)bytes;
	if (!json_is_array(value))
		return false;
	buf[0] = '\0';
	json_array_foreach(value, i, each) {
		used += (size_t)snprintf(buf + used, bytes - used, "%s%" JSON_INTEGER_FORMAT,
		    i > 0 ? "," : "", json_integer_value(each));
		if (used >= bytes)
			return false;
	}
	return true;
}

static bool
append(char *url, size_t *used, const char *text)
{
	size_t	n = strlen(text);

	if (*used + n >= URL_BYTES)
		return false;
	memcpy(url + *used, text, n + 1);
	*used += n;
	return true;
}

static bool
append_escaped(struct assay_http *h, char *url, size_t *used, const json_t *value)
{
	char	 plain[PART_BYTES], *escaped;
	bool	 ok;

	if (!plain_text(value, plain, sizeof plain) ||
	    (escaped = curl_easy_escape(h->easy, plain, 0)) == NULL)
		return false;
	ok = append(url, used, escaped);
	curl_free(escaped);
	return ok;
}

static enum status
make_url(struct assay_http *h, const struct route *r, const json_t *params, char url[URL_BYTES],
    struct fault *why)
{
	const char	*name;
	json_t		*value;
	size_t		 used = 0;
	const char	*before = "?";
	bool		 ok;

	ok = append(url, &used, h->base) && append(url, &used, r->before);
	if (r->id != NULL)
		ok = ok && append_escaped(h, url, &used, json_object_get(params, r->id));
	ok = ok && append(url, &used, r->after);
	json_object_foreach((json_t *)(uintptr_t)params, name, value) {
		if (r->id != NULL && strcmp(name, r->id) == 0)
			continue;
		ok = ok && append(url, &used, before) && append(url, &used, name) &&
		    append(url, &used, "=") && append_escaped(h, url, &used, value);
		before = "&";
	}
	return ok ? ST_OK : fault_set(why, ST_BAD_REQUEST, "too much for one request over HTTP");
}

/* ---- one transfer ---- */

static size_t
on_bytes(char *bytes, size_t one, size_t n, void *arg)
{
	struct body	*b = arg;
	char		*more;

	(void)one;
	if (b->room - b->used < n) {
		size_t	room = 2 * b->room + n + FIRST_BYTES;

		if (room > ASSAY_MAX_LINE_BYTES || (more = realloc(b->bytes, room)) == NULL)
			return 0;
		b->bytes = more;
		b->room = room;
	}
	memcpy(b->bytes + b->used, bytes, n);
	b->used += n;
	return n;
}

static bool
prepare(struct assay_http *h, const char *url, struct body *body)
{
	curl_easy_reset(h->easy);
	if (curl_easy_setopt(h->easy, CURLOPT_URL, url) != CURLE_OK ||
	    curl_easy_setopt(h->easy, CURLOPT_PROTOCOLS_STR, "http") != CURLE_OK)
		return false;
	if (h->socket_path[0] != '\0')
		(void)curl_easy_setopt(h->easy, CURLOPT_UNIX_SOCKET_PATH, h->socket_path);
	(void)curl_easy_setopt(h->easy, CURLOPT_PROXY, "");	/* the daemon is on this host */
	(void)curl_easy_setopt(h->easy, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(h->easy, CURLOPT_TIMEOUT_MS, (long)ASSAY_TIMEOUT_MS);
	(void)curl_easy_setopt(h->easy, CURLOPT_WRITEFUNCTION, on_bytes);
	(void)curl_easy_setopt(h->easy, CURLOPT_WRITEDATA, body);
	return true;
}

/* Run the prepared transfer to its end; curl's code, or ST_CANCELLED. */
static enum status
run_transfer(struct assay_http *h, CURLcode *code)
{
	struct curl_waitfd	 stop = { .fd = h->stop_fd, .events = CURL_WAIT_POLLIN };
	struct CURLMsg		*m;
	enum status		 st = ST_OK;
	int			 running = 1, left;

	*code = CURLE_FAILED_INIT;
	if (curl_multi_add_handle(h->multi, h->easy) != CURLM_OK)
		return ST_NOMEM;
	while (st == ST_OK && running > 0) {
		if (curl_multi_perform(h->multi, &running) != CURLM_OK)
			st = ST_IO;
		else if (running > 0)
			(void)curl_multi_poll(h->multi, &stop, h->stop_fd >= 0, 1000, NULL);
		if (stop.revents != 0)
			st = ST_CANCELLED;
	}
	while ((m = curl_multi_info_read(h->multi, &left)) != NULL)
		if (m->msg == CURLMSG_DONE)
			*code = m->data.result;
	(void)curl_multi_remove_handle(h->multi, h->easy);
	return st;
}

static enum status
transfer_failed(struct assay_http *h, CURLcode code, struct fault *why)
{
	if (code == CURLE_WRITE_ERROR)
		return fault_set(why, ST_IO, "the daemon's reply is endless");
	(void)fault_set(why, ST_UNAVAILABLE, "%s: %s", h->socket_path[0] != '\0' ?
	    h->socket_path : h->base, curl_easy_strerror(code));
	fault_hint(why, "is a daemon running with --http or --http-socket?");
	return ST_UNAVAILABLE;
}

/* ---- replies ---- */

static enum status
status_of_http(long code)
{
	return code == 404 ? ST_NOT_FOUND : code == 409 ? ST_CONFLICT :
	    code == 403 || code == 401 ? ST_DENIED : code == 429 || code == 503 ? ST_FULL :
	    code >= 400 && code < 500 ? ST_BAD_REQUEST : ST_INTERNAL;
}

static enum status
read_body(const struct body *b, long code, json_t **result, struct fault *why)
{
	json_error_t	 error;
	json_t		*doc = json_loadb(b->bytes != NULL ? b->bytes : "", b->used,
			    JSON_REJECT_DUPLICATES, &error);
	const char	*detail;
	char		 sentence[64];
	enum status	 st;

	if (doc == NULL || !json_is_object(doc)) {
		json_decref(doc);
		return fault_set(why, ST_IO,
		    "HTTP %ld with no JSON object: is that a daemon of Assay?", code);
	}
	if (code == 200) {
		*result = doc;
		return ST_OK;
	}
	(void)snprintf(sentence, sizeof sentence, "HTTP %ld", code);
	detail = json_string_value(json_object_get(doc, "detail"));
	st = conn_fault(why, doc, detail != NULL ? detail : sentence, status_of_http(code));
	json_decref(doc);
	return st;
}

enum status
assay_http_call(struct assay_http *h, const char *method, const json_t *params, json_t **result,
    struct fault *why)
{
	const struct route	*route = find_route(method);
	struct body		 body = { NULL, 0, 0 };
	char			 url[URL_BYTES];
	enum status		 st;
	CURLcode		 code;
	long			 http = 0;

	*result = NULL;
	if (route == NULL) {
		(void)fault_set(why, ST_BAD_REQUEST,
		    "%s cannot be called over HTTP", method);
		fault_hint(why, "use the daemon's Unix socket: -s PATH instead of -H");
		return ST_BAD_REQUEST;
	}
	if ((st = make_url(h, route, params, url, why)) != ST_OK)
		return st;
	if (!prepare(h, url, &body))
		return fault_set(why, ST_BAD_REQUEST, "%s: is no address of a daemon", h->base);
	if ((st = run_transfer(h, &code)) != ST_OK) {
		(void)fault_set(why, st, st == ST_CANCELLED ? "interrupted" : "HTTP transfer");
	} else if (code != CURLE_OK) {
		st = transfer_failed(h, code, why);
	} else {
		(void)curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &http);
		st = read_body(&body, http, result, why);
	}
	free(body.bytes);
	return st;
}
