/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks, by which right, and whether a browser asks for another site's page. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <event2/bufferevent.h>
#include <event2/keyvalq_struct.h>

#include "daemon/http/http_fields.h"
#include "daemon/http/http_impl.h"
#include "proto/base/base64.h"
#include "proto/base/log.h"

enum { TOKEN_BYTES = 512 };

/* ---- proofs ---- */

/* What follows the scheme of Authorization; NULL: it is another one. */
static const char *
after_scheme(const char *value, const char *scheme)
{
	const size_t	n = strlen(scheme);

	if (strncasecmp(value, scheme, n) != 0 || value[n] != ' ')
		return NULL;
	return value + n + strspn(value + n, " ");
}

/* Browsers can be asked for a name and a password: the token is the password. */
static enum status
proof_of_password(struct proof *p, const char *text, struct fault *why)
{
	char		*pair = NULL, *colon;
	size_t		 bytes = 0;
	enum status	 st = ST_DENIED;

	if (strlen(text) <= 2 * TOKEN_BYTES &&
	    base64_decode(&pair, &bytes, text, strlen(text), why) == ST_OK &&
	    (colon = memchr(pair, ':', bytes)) != NULL &&
	    proof_of_token(p, colon + 1, bytes - (size_t)(colon + 1 - pair)))
		st = ST_OK;
	free(pair);
	return st == ST_OK ? st : fault_at(why, ST_DENIED, "Authorization",
	    "Basic takes a name and a token, in base64");
}

static enum status
proof_of_header(struct proof *p, const char *value, struct fault *why)
{
	const char	*text;
	enum status	 st;

	if ((text = after_scheme(value, "Basic")) != NULL)
		return proof_of_password(p, text, why);
	if ((text = after_scheme(value, "Bearer")) != NULL && text[0] != '\0' &&
	    strlen(text) <= TOKEN_BYTES && proof_of_token(p, text, strlen(text)))
		return ST_OK;
	st = fault_at(why, ST_DENIED, "Authorization", "must be Bearer and a token of at most %d "
	    "bytes", TOKEN_BYTES);
	fault_hint(why, "send Authorization: Bearer TOKEN");
	return st;
}

/* Any name in the certificate will do; a fault is that of the first. */
static enum status
find_by_certificate(struct exchange *ex, struct users *users, uid_t *uid, struct proof *used,
    struct fault *why)
{
	struct proof	 p[TLS_MAX_NAMES];
	const unsigned	 n = tls_proofs(http_conn_bufferevent(ex->conn), p, TLS_MAX_NAMES);
	struct fault	 other;
	enum status	 st;

	if (n == 0) {
		st = fault_set(why, ST_DENIED, "you have not said who you are");
		fault_hint(why, "send Authorization: Bearer TOKEN, or show a certificate");
		return st;
	}
	for (unsigned i = 0; i < n; i++) {
		*used = p[i];
		if ((st = users_find(users, used, uid, i == 0 ? why : &other)) == ST_OK)
			return ST_OK;
	}
	return ST_DENIED;
}

enum status
http_who(struct exchange *ex, struct fault *why)
{
	struct users	*users = api_env(ex->http->api)->users;
	const char	*value = http_asked(ex, "Authorization");
	struct proof	 p;
	uid_t		 uid;
	enum status	 st;

	if (http_conn_kind(ex->conn) != HTTP_TLS)
		return ST_OK;
	if (value != NULL && (st = proof_of_header(&p, value, why)) != ST_OK)
		return st;
	st = value != NULL ? users_find(users, &p, &uid, why) :
	    find_by_certificate(ex, users, &uid, &p, why);
	if (st == ST_OK && (st = http_conn_become(ex->conn, uid, &p, why)) == ST_OK)
		ex->uid = uid;
	return st;
}

/* ---- sites ---- */

static bool
is_address(const char *name)
{
	struct in6_addr	a;

	return inet_pton(AF_INET, name, &a) == 1 || inet_pton(AF_INET6, name, &a) == 1;
}

static bool
is_this_host(const char *name)
{
	char	own[HTTP_HOST_BYTES] = "";
	size_t	n;

	if (gethostname(own, sizeof own - 1) != 0 || own[0] == '\0')
		return false;
	n = strcspn(own, ".");
	return strcasecmp(name, own) == 0 || (strlen(name) == n && strncasecmp(name, own, n) == 0);
}

/*
 * A page of another site can point a DNS name of its own at this daemon.  Such a name is neither an
 * address, nor in the certificate, nor this host's.
 */
static bool
is_our_name(const struct exchange *ex, const char *host)
{
	const struct tls	*tls = ex->http->conns.tls;
	char			 name[HTTP_HOST_BYTES];

	if (http_is_loopback_name(host))
		return true;
	if (http_conn_kind(ex->conn) == HTTP_LOCAL || !http_host_name(host, name))
		return false;
	if (tls != NULL && tls_is_for(tls, name))
		return true;
	return is_address(name) || (http_conn_kind(ex->conn) == HTTP_OPEN && is_this_host(name));
}

static enum status
refuse_host(const struct exchange *ex, const char *host, struct fault *why)
{
	static const char *const	hints[HTTP_NKINDS] = {
		[HTTP_LOCAL] = "ask for 127.0.0.1, [::1] or localhost",
		[HTTP_TLS] = "ask for a name or an address in the server's certificate",
		[HTTP_OPEN] = "ask for this host's name or address",
	};
	const enum status		st = fault_at(why, ST_DENIED, "Host",
					    "this is not %.100s", host);

	fault_hint(why, "%s", hints[http_conn_kind(ex->conn)]);
	return st;
}

/*
 * "GET http://NAME/…" is for NAME, whatever Host says (RFC 9112, 3.2.2).  NULL: it names no host.
 * With a user's name before it, it is refused as it is.
 */
static const char *
host_of_target(const struct exchange *ex)
{
	const struct evhttp_uri	*uri = evhttp_request_get_evhttp_uri(ex->req);
	const char		*user = evhttp_uri_get_userinfo(uri);

	return user != NULL ? "a name with a password" : evhttp_uri_get_host(uri);
}

static enum status
check_hosts(const struct exchange *ex, const char *host, struct fault *why)
{
	const char	*target = host_of_target(ex);

	if (!peer_is_tcp(bufferevent_getfd(http_conn_bufferevent(ex->conn))))
		return ST_OK;
	if (target != NULL && !is_our_name(ex, target))
		return refuse_host(ex, target, why);
	return host == NULL || is_our_name(ex, host) ? ST_OK : refuse_host(ex, host, why);
}

enum status
http_check_site(const struct exchange *ex, bool writes, struct fault *why)
{
	const char	*host = http_asked(ex, "Host");
	const bool	 is_tls = http_conn_kind(ex->conn) == HTTP_TLS;
	enum status	 st = check_hosts(ex, host, why);

	if (st != ST_OK)
		return st;
	if (writes && (http_asked(ex, "Origin") != NULL ||
	    http_asked(ex, "Sec-Fetch-Site") != NULL))
		return fault_set(why, ST_DENIED, "no writes from web pages");
	if (!http_is_own_page(is_tls ? "https://" : "http://", http_asked(ex, "Origin"),
	    http_asked(ex, "Sec-Fetch-Site"), host))
		return fault_set(why, ST_DENIED, "no answers for the pages of other sites");
	return ST_OK;
}

/* ---- writers ---- */

/* Of a body: JSON, as it is. */
static enum status
check_body(const struct exchange *ex, struct fault *why)
{
	static const char	 json[] = "application/json";
	const char		*type = http_asked(ex, "Content-Type");
	const char		*coding = http_asked(ex, "Content-Encoding");

	if (coding != NULL && strcasecmp(coding, "identity") != 0) {
		(void)fault_at(why, ST_BAD_REQUEST, "Content-Encoding", "\"%.40s\" is not taken",
		    coding);
		fault_hint(why, "send the body as it is, of 16 MiB at most");
		return ST_BAD_REQUEST;
	}
	if (type != NULL && strncasecmp(type, json, sizeof json - 1) == 0 &&
	    strchr("; \t", type[sizeof json - 1]) != NULL)
		return ST_OK;		/* strchr finds the end of a bare type, too */
	(void)fault_at(why, ST_BAD_REQUEST, "Content-Type", "must be %s", json);
	fault_hint(why, "send it without a body, too: forms of web pages cannot");
	return ST_BAD_REQUEST;
}

enum status
http_check_writer(struct exchange *ex, struct fault *why)
{
	const evutil_socket_t	fd = bufferevent_getfd(http_conn_bufferevent(ex->conn));
	enum status		st;

	if (http_conn_kind(ex->conn) == HTTP_LOCAL &&
	    (st = peer_uid(fd, &ex->uid, why)) != ST_OK)
		return st;
	return ex->route->method == EVHTTP_REQ_POST ? check_body(ex, why) : ST_OK;
}
