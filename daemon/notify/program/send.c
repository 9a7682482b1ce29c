/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <curl/curl.h>

#include "daemon/notify/address.h"
#include "daemon/notify/program/send.h"
#include "daemon/notify/request.h"

enum { CONNECT_S = 10, TOTAL_S = 20, ANSWER_BYTES = 64 << 10, HOST_BYTES = 256 };

struct sending {
	bool		 any, private_too;	/* what addresses may be */
	const char	*refused;		/* static; why the last one was; NULL: it was not */
	size_t		 answer_bytes;
};

static void
set_answer(struct notify_answer *a, const char *outcome, const char *reason)
{
	a->outcome = outcome;
	(void)snprintf(a->reason, sizeof a->reason, "%s", reason);
}

/* ---- curl's questions ---- */

/* The address is final: nothing is resolved after this. */
static curl_socket_t
open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *to)
{
	struct sending	*s = arg;

	(void)purpose;
	s->refused = s->any ? NULL : address_refusal(&to->addr, s->private_too);
	return s->refused != NULL ? CURL_SOCKET_BAD :
	    socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

static size_t
forget(char *bytes, size_t one, size_t n, void *arg)
{
	struct sending	*s = arg;

	(void)bytes;
	(void)one;
	s->answer_bytes += n;
	return s->answer_bytes <= ANSWER_BYTES ? n : 0;
}

/* ---- the address ---- */

/* As curl reads it, and no other way: what is checked is what is used. */
static bool
read_url(const char *url, char *scheme, char *host, struct notify_answer *a)
{
	CURLU	*u = curl_url();
	char	*part[3] = { NULL, NULL, NULL };
	bool	 ok = u != NULL && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK &&
		    curl_url_get(u, CURLUPART_SCHEME, &part[0], 0) == CURLUE_OK &&
		    curl_url_get(u, CURLUPART_HOST, &part[1], 0) == CURLUE_OK;
	size_t	 n;

	if (ok && curl_url_get(u, CURLUPART_USER, &part[2], 0) == CURLUE_OK)
		ok = false;		/* credentials would be sent */
	if (ok) {
		n = strlen(part[1]);
		(void)snprintf(scheme, 16, "%.15s", part[0]);
		(void)snprintf(host, HOST_BYTES, "%.*s", (int)(part[1][0] == '[' ? n - 2 : n),
		    part[1] + (part[1][0] == '['));
	} else {
		set_answer(a, NOTIFY_REFUSED, "the webhook is no address without a user");
	}
	for (unsigned i = 0; i < 3; i++)
		curl_free(part[i]);
	curl_url_cleanup(u);
	return ok;
}

static bool
check_url(const char *url, const char *allow, struct sending *s, struct notify_answer *a)
{
	char	scheme[16], host[HOST_BYTES];

	if (!read_url(url, scheme, host, a))
		return false;
	s->any = address_is_listed(allow, host) && strcmp(host, "private") != 0;
	s->private_too = address_is_listed(allow, "private");
	if (strcmp(scheme, "https") == 0 || (strcmp(scheme, "http") == 0 && s->any))
		return true;
	set_answer(a, NOTIFY_REFUSED, "the webhook is not https");
	return false;
}

/* ---- the request ---- */

static struct curl_slist *
headers_of(const json_t *request)
{
	struct curl_slist	*list = curl_slist_append(NULL, "Expect:"), *longer;
	const json_t		*line;
	size_t			 i;

	json_array_foreach(json_object_get(request, "headers"), i, line) {
		longer = json_is_string(line) ?
		    curl_slist_append(list, json_string_value(line)) : NULL;
		if (longer != NULL)
			list = longer;
	}
	return list;
}

static void
prepare(CURL *c, const char *url, const json_t *request, struct curl_slist *headers,
    struct sending *s)
{
	const json_t	*body = json_object_get(request, "body");
	const char	*ca = json_string_value(json_object_get(request, "ca"));

	if (ca != NULL && ca[0] != '\0')
		(void)curl_easy_setopt(c, CURLOPT_CAINFO, ca);
	(void)curl_easy_setopt(c, CURLOPT_URL, url);
	(void)curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, s->any ? "https,http" : "https");
	(void)curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	(void)curl_easy_setopt(c, CURLOPT_PROXY, "");
	(void)curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	(void)curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	(void)curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)TOTAL_S);
	(void)curl_easy_setopt(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	(void)curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	(void)curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE, (long)json_string_length(body));
	(void)curl_easy_setopt(c, CURLOPT_COPYPOSTFIELDS, json_string_value(body));
	(void)curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	(void)curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, s);
	(void)curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, forget);
	(void)curl_easy_setopt(c, CURLOPT_WRITEDATA, s);
}

/* 408 and 429 ask for another try; other refusals of the receiver will not change. */
static void
judge_code(long code, struct notify_answer *a)
{
	char	reason[64];

	(void)snprintf(reason, sizeof reason, "HTTP %ld", code);
	if (code >= 200 && code < 300)
		set_answer(a, NOTIFY_SENT, reason);
	else if (code >= 300 && code < 400)
		set_answer(a, NOTIFY_FAILED, "it redirects, which is not followed");
	else
		set_answer(a, code < 500 && code != 408 && code != 429 ? NOTIFY_FAILED :
		    NOTIFY_AGAIN, reason);
}

static void
perform(CURL *c, const struct sending *s, struct notify_answer *a)
{
	CURLcode	rc = curl_easy_perform(c);
	long		code = 0;
	char		reason[NOTIFY_REASON_BYTES];

	(void)curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &code);
	if (s->refused != NULL && rc == CURLE_COULDNT_CONNECT) {
		(void)snprintf(reason, sizeof reason, "the webhook leads to %s", s->refused);
		set_answer(a, NOTIFY_REFUSED, reason);
	} else if (code != 0 && (rc == CURLE_OK || rc == CURLE_WRITE_ERROR)) {
		judge_code(code, a);		/* an endless answer is an answer */
	} else {
		set_answer(a, NOTIFY_AGAIN, curl_easy_strerror(rc));
	}
}

void
notify_send(const json_t *request, struct notify_answer *a)
{
	const char		*url = json_string_value(json_object_get(request, "url"));
	const char		*allow = json_string_value(json_object_get(request, "allow"));
	struct sending		 s = { .refused = NULL };
	struct curl_slist	*headers;
	CURL			*c;

	if (url == NULL || allow == NULL || !json_is_string(json_object_get(request, "body")))
		return;
	if (!check_url(url, allow, &s, a))
		return;
	headers = headers_of(request);
	if ((c = curl_easy_init()) == NULL || headers == NULL) {
		set_answer(a, NOTIFY_AGAIN, "out of memory");
	} else {
		prepare(c, url, request, headers, &s);
		perform(c, &s, a);
	}
	curl_slist_free_all(headers);
	curl_easy_cleanup(c);
}
