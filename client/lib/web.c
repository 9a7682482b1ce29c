/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcurl has many descriptors, a loop of the caller's wants one: an epoll instance with curl's
 * sockets and a timer in it, which is readable as soon as there is something to do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "client/lib/problem.h"
#include "client/lib/route.h"
#include "client/lib/web.h"
#include "client/lib/web_reply.h"
#include "proto/base/version.h"

enum {
	FIRST_BYTES = 64 << 10, MAX_BODY_BYTES = 256 << 20,
	CONNECT_MS = 20000, EVENTS = 32,
};

struct web {
	struct address			 address;
	struct credentials_found	 found;
	CURLM				*multi;		/* owned */
	struct curl_slist		*headers;	/* owned */
	int				 epoll_fd, timer_fd;
	int64_t				 next_id;
	struct calls			 calls;
};

/* One transfer. */
struct request {
	int64_t			 id;
	CURL			*easy;		/* owned */
	struct route_request	 route;
	char			*body;		/* owned; the reply */
	size_t			 used, room;
	char			 words[CURL_ERROR_SIZE];
};

/* ---- what curl waits for ---- */

static int
on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
	struct web		*w = arg;
	struct epoll_event	 e = { .data.fd = fd };

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		(void)epoll_ctl(w->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
		return 0;
	}
	e.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
	if (known == NULL || epoll_ctl(w->epoll_fd, EPOLL_CTL_MOD, fd, &e) != 0)
		(void)epoll_ctl(w->epoll_fd, EPOLL_CTL_ADD, fd, &e);
	(void)curl_multi_assign(w->multi, fd, w);
	return 0;
}

static int
on_timer(CURLM *multi, long ms, void *arg)
{
	struct web		*w = arg;
	struct itimerspec	 t = { .it_value = { 0, 0 } };

	(void)multi;
	if (ms >= 0)
		t.it_value = (struct timespec){ ms / 1000, ms % 1000 * 1000000 + (ms == 0) };
	(void)timerfd_settime(w->timer_fd, 0, &t, NULL);
	return 0;
}

/* ---- opening and closing ---- */

static int
make_headers(struct web *w, struct assay_error *why)
{
	char	line[CREDENTIALS_TOKEN_BYTES + 32];

	/* without these, curl asks before a large body, and calls it a form */
	static const char *const	fixed[] = { "Expect:", "Content-Type: application/json" };
	struct curl_slist		*more;

	for (unsigned i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
		if ((more = curl_slist_append(w->headers, fixed[i])) == NULL)
			return problem(why, "no_memory", "connection");
		w->headers = more;
	}
	if (w->address.kind != ADDRESS_HTTPS || w->found.token[0] == '\0')
		return 0;
	(void)snprintf(line, sizeof line, "Authorization: Bearer %s", w->found.token);
	if ((more = curl_slist_append(w->headers, line)) == NULL)
		return problem(why, "no_memory", "connection");
	w->headers = more;
	return 0;
}

static int
make_multi(struct web *w, struct assay_error *why)
{
	struct epoll_event	e = { .events = EPOLLIN };

	w->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	w->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	e.data.fd = w->timer_fd;
	if (w->epoll_fd < 0 || w->timer_fd < 0 ||
	    epoll_ctl(w->epoll_fd, EPOLL_CTL_ADD, w->timer_fd, &e) != 0)
		return problem(why, "io", "descriptors for HTTP");
	if ((w->multi = curl_multi_init()) == NULL)
		return problem(why, "no_memory", "connection");
	(void)curl_multi_setopt(w->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	(void)curl_multi_setopt(w->multi, CURLMOPT_SOCKETDATA, w);
	(void)curl_multi_setopt(w->multi, CURLMOPT_TIMERFUNCTION, on_timer);
	(void)curl_multi_setopt(w->multi, CURLMOPT_TIMERDATA, w);
	return 0;
}

/* In clear text everybody on the way could read it. */
static int
check_token(const struct address *a, const struct credentials *c, struct assay_error *why)
{
	if (a->kind == ADDRESS_HTTPS || (c->token == NULL && c->token_file == NULL))
		return 0;
	(void)problem(why, "bad_request", "a token is never sent over http:");
	return problem_hint(why, "use https://, or leave the token away");
}

int
web_open(struct web **out, const struct address *address, const struct credentials *credentials,
    struct assay_error *why)
{
	struct web	*w;

	*out = NULL;
	if (check_token(address, credentials, why) != 0)
		return -1;
	if ((w = calloc(1, sizeof *w)) == NULL)
		return problem(why, "no_memory", "connection");
	w->address = *address;
	w->epoll_fd = w->timer_fd = -1;
	w->next_id = 1;
	calls_init(&w->calls);
	if ((address->kind == ADDRESS_HTTPS &&
	    credentials_find(credentials, &w->found, why) != 0) ||
	    make_headers(w, why) != 0 || make_multi(w, why) != 0) {
		web_free(w);
		return -1;
	}
	*out = w;
	return 0;
}

static void
request_free(struct web *w, struct request *r)
{
	if (r == NULL)
		return;
	if (r->easy != NULL) {
		(void)curl_multi_remove_handle(w->multi, r->easy);
		curl_easy_cleanup(r->easy);
	}
	route_release(&r->route);
	free(r->body);
	free(r);
}

void
web_free(struct web *w)
{
	if (w == NULL)
		return;
	while (w->calls.first != NULL)
		web_drop(w, w->calls.first->id);
	if (w->multi != NULL)
		(void)curl_multi_cleanup(w->multi);
	curl_slist_free_all(w->headers);
	if (w->epoll_fd >= 0)
		(void)close(w->epoll_fd);
	if (w->timer_fd >= 0)
		(void)close(w->timer_fd);
	explicit_bzero(&w->found, sizeof w->found);
	free(w);
}

/* ---- requests ---- */

static size_t
on_bytes(char *bytes, size_t one, size_t n, void *arg)
{
	struct request	*r = arg;
	char		*more;

	(void)one;
	if (r->room - r->used <= n) {
		const size_t	room = 2 * r->room + n + FIRST_BYTES;

		if (room > MAX_BODY_BYTES || (more = realloc(r->body, room)) == NULL)
			return 0;
		r->body = more;
		r->room = room;
	}
	memcpy(r->body + r->used, bytes, n);
	r->used += n;
	r->body[r->used] = '\0';
	return n;
}

static void
set_file(CURL *easy, CURLoption option, const char *path)
{
	if (path[0] != '\0')
		(void)curl_easy_setopt(easy, option, path);
}

static bool
set_security(const struct web *w, CURL *easy)
{
	const bool	is_https = w->address.kind == ADDRESS_HTTPS;

	if (curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, is_https ? "https" : "http") != CURLE_OK)
		return false;
	(void)curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	if (w->address.kind == ADDRESS_HTTP_UNIX)
		(void)curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, w->address.path);
	if (!is_https) {
		(void)curl_easy_setopt(easy, CURLOPT_PROXY, "");	/* on this host */
		return true;
	}
	set_file(easy, CURLOPT_CAINFO, w->found.ca);
	set_file(easy, CURLOPT_SSLCERT, w->found.cert);
	set_file(easy, CURLOPT_SSLKEY, w->found.key);
	return curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_3) ==
	    CURLE_OK;
}

static bool
prepare(struct web *w, struct request *r)
{
	CURL	*easy = r->easy;

	if (curl_easy_setopt(easy, CURLOPT_URL, r->route.url) != CURLE_OK ||
	    !set_security(w, easy))
		return false;
	(void)curl_easy_setopt(easy, CURLOPT_PRIVATE, r);
	(void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	(void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	(void)curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	(void)curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
	(void)curl_easy_setopt(easy, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION);
	(void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, w->headers);
	(void)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, r->words);
	(void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
	(void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, r);
	if (strcmp(r->route.verb, "GET") == 0)
		return true;
	(void)curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, r->route.verb);
	if (strcmp(r->route.verb, "DELETE") == 0)
		return true;
	(void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
	    (curl_off_t)(r->route.body != NULL ? strlen(r->route.body) : 0));
	(void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
	    r->route.body != NULL ? r->route.body : "");
	return true;
}

int64_t
web_begin(struct web *w, const char *method, const char *params, assay_reply_fn *on_reply,
    void *arg, struct assay_error *why)
{
	struct request	*r = calloc(1, sizeof *r);
	struct call	*c;

	if (r == NULL)
		return problem(why, "no_memory", "request");
	if (route_find(&r->route, w->address.kind == ADDRESS_HTTP_UNIX ? "http://localhost" :
	    w->address.url, method, params, why) != 0)
		goto fail;
	if ((r->easy = curl_easy_init()) == NULL || !prepare(w, r)) {
		(void)problem(why, "bad_request", "%.300s: is no address of a daemon",
		    w->address.url);
		goto fail;
	}
	if ((c = calls_add(&w->calls, w->next_id, on_reply, arg)) == NULL) {
		(void)problem(why, "no_memory", "request");
		goto fail;
	}
	if (curl_multi_add_handle(w->multi, r->easy) != CURLM_OK) {
		free(calls_take(&w->calls, w->next_id));
		(void)problem(why, "no_memory", "request");
		goto fail;
	}
	c->request = r;
	r->id = w->next_id;
	return w->next_id++;
fail:
	request_free(w, r);
	return -1;
}

void
web_drop(struct web *w, int64_t call)
{
	struct call	*c = calls_take(&w->calls, call);

	if (c == NULL)
		return;
	request_free(w, c->request);
	free(c);
}

/* ---- replies ---- */

static void
finish(struct web *w, struct request *r, CURLcode code)
{
	struct call		*c = calls_take(&w->calls, r->id);
	struct web_end		 end = { .code = code, .words = r->words, .bytes = r->used };
	struct assay_error	 why;
	const char		*result;

	end.body = r->body != NULL ? r->body : "";
	if (r->words[0] == '\0')
		end.words = curl_easy_strerror(code);
	(void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &end.http);
	result = web_reply(&w->address, &w->found, &end, &why);
	c->on_reply(c->arg, result, result != NULL ? NULL : &why);
	free(c);
	request_free(w, r);
}

int
web_fd(const struct web *w)
{
	return w->epoll_fd;
}

int
web_step(struct web *w, struct assay_error *why)
{
	struct epoll_event	 events[EVENTS];
	struct CURLMsg		*m;
	uint64_t		 expirations;
	int			 running, left, n = epoll_wait(w->epoll_fd, events, EVENTS, 0);

	for (int i = 0; i < n; i++) {
		const int	fd = events[i].data.fd;
		const int	what = (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
				    (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
				    (events[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR :
				    0);

		if (fd == w->timer_fd && read(fd, &expirations, sizeof expirations) < 0)
			continue;
		if (curl_multi_socket_action(w->multi, fd == w->timer_fd ? CURL_SOCKET_TIMEOUT :
		    fd, fd == w->timer_fd ? 0 : what, &running) != CURLM_OK)
			return problem(why, "io", "HTTP transfers failed");
	}
	while ((m = curl_multi_info_read(w->multi, &left)) != NULL) {
		char	*request = NULL;

		if (m->msg != CURLMSG_DONE)
			continue;
		(void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &request);
		finish(w, (struct request *)(void *)request, m->data.result);
	}
	return 0;
}
