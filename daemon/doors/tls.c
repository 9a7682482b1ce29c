/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "daemon/doors/tls.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum { DAY_S = 24 * 60 * 60, WARN_DAYS = 30 };

struct tls {
	SSL_CTX	*ctx;			/* owned */
};

/* ---- the files ---- */

static const char *
openssl_words(void)
{
	const unsigned long	 code = ERR_get_error();
	const char		*words = code != 0 ? ERR_reason_error_string(code) : NULL;

	ERR_clear_error();
	if (words != NULL)
		return words;
	return code != 0 && ERR_SYSTEM_ERROR(code) ? strerror(ERR_GET_REASON(code)) :
	    "it cannot be read";
}

static enum status
refuse_file(const char *setting, const char *path, struct fault *why)
{
	const enum status	st = fault_at(why, ST_BAD_REQUEST, setting, "%s: %s", path,
				    openssl_words());

	fault_hint(why, "it must be in PEM, as assay-ca makes it");
	return st;
}

/* A key with a passphrase: nobody is there to be asked. */
static int
no_passphrase(char *buf, int bytes, int writes, void *arg)
{
	(void)buf;
	(void)bytes;
	(void)writes;
	(void)arg;
	return 0;
}

/* When a certificate ends, in seconds since the epoch; 0: that is not known. */
static int64_t
end_of(const X509 *x)
{
	struct tm	tm;

	return ASN1_TIME_to_tm(X509_get0_notAfter(x), &tm) == 1 ? (int64_t)timegm(&tm) : 0;
}

/* Clients refuse a certificate that is over, so an operator should know before. */
static void
warn_of_end(const char *path, const X509 *x)
{
	static const char	remedy[] = "assay-ca -f server NAME makes a new one, and SIGHUP "
				    "has it read";
	const double		left_s = (double)end_of(x) - clock_wall_s();

	if (end_of(x) == 0 || left_s >= WARN_DAYS * DAY_S)
		return;
	if (left_s <= 0)
		log_warn("tls-certificate: %s has expired, clients refuse it; %s", path, remedy);
	else
		log_warn("tls-certificate: %s expires in %.1f days; %s", path, left_s / DAY_S,
		    remedy);
}

static enum status
check_key_file(const char *path, struct fault *why)
{
	struct stat	sb;
	enum status	st;

	if (stat(path, &sb) != 0)
		return fault_at(why, ST_BAD_REQUEST, "tls-key", "%s: %s", path, strerror(errno));
	if ((sb.st_mode & S_IRWXO) == 0)
		return ST_OK;
	st = fault_at(why, ST_BAD_REQUEST, "tls-key", "%s: others may read it (mode %04o)", path,
	    (unsigned)sb.st_mode & 07777);
	fault_hint(why, "chown root:assay and chmod 640 it");
	return st;
}

static enum status
load_server(SSL_CTX *ctx, const struct config *c, struct fault *why)
{
	enum status	st;

	if (c->tls_certificate[0] == '\0' || c->tls_key[0] == '\0') {
		st = fault_at(why, ST_BAD_REQUEST,
		    c->tls_key[0] == '\0' ? "tls-key" : "tls-certificate", "missing beside tls");
		fault_hint(why, "assay-ca server NAME makes both files");
		return st;
	}
	if (SSL_CTX_use_certificate_chain_file(ctx, c->tls_certificate) != 1)
		return refuse_file("tls-certificate", c->tls_certificate, why);
	if ((st = check_key_file(c->tls_key, why)) != ST_OK)
		return st;
	if (SSL_CTX_use_PrivateKey_file(ctx, c->tls_key, SSL_FILETYPE_PEM) != 1 ||
	    SSL_CTX_check_private_key(ctx) != 1)
		return refuse_file("tls-key", c->tls_key, why);
	warn_of_end(c->tls_certificate, SSL_CTX_get0_certificate(ctx));
	return ST_OK;
}

static enum status
load_client_ca(SSL_CTX *ctx, const char *path, struct fault *why)
{
	STACK_OF(X509_NAME)	*names;

	if (path[0] == '\0')
		return ST_OK;
	if (SSL_CTX_load_verify_locations(ctx, path, NULL) != 1 ||
	    (names = SSL_load_client_CA_file(path)) == NULL)
		return refuse_file("tls-client-ca", path, why);
	SSL_CTX_set_client_CA_list(ctx, names);
	/* a peer without one may have a token */
	SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
	return ST_OK;
}

static enum status
load(SSL_CTX **out, const struct config *c, struct fault *why)
{
	SSL_CTX		*ctx = SSL_CTX_new(TLS_server_method());
	enum status	 st;

	*out = NULL;
	if (ctx == NULL || SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1) {
		SSL_CTX_free(ctx);
		return fault_at(why, ST_NOMEM, "tls", "%s", openssl_words());
	}
	(void)SSL_CTX_set_options(ctx, SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
	(void)SSL_CTX_set_num_tickets(ctx, 0);
	(void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	(void)SSL_CTX_set_mode(ctx, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_default_passwd_cb(ctx, no_passphrase);
	ERR_clear_error();
	if ((st = load_server(ctx, c, why)) == ST_OK &&
	    (st = load_client_ca(ctx, c->tls_client_ca, why)) == ST_OK)
		*out = ctx;
	else
		SSL_CTX_free(ctx);
	return st;
}

enum status
tls_new(struct tls **out, const struct config *c, struct fault *why)
{
	struct tls	*t = calloc(1, sizeof *t);
	enum status	 st;

	*out = NULL;
	if (t == NULL)
		return fault_set(why, ST_NOMEM, "tls");
	if ((st = load(&t->ctx, c, why)) != ST_OK)
		free(t);
	else
		*out = t;
	return st;
}

enum status
tls_reload(struct tls *t, const struct config *c, struct fault *why)
{
	SSL_CTX		*fresh;
	enum status	 st = load(&fresh, c, why);

	if (st != ST_OK)
		return st;
	SSL_CTX_free(t->ctx);		/* connections keep theirs */
	t->ctx = fresh;
	return ST_OK;
}

void
tls_free(struct tls *t)
{
	if (t == NULL)
		return;
	SSL_CTX_free(t->ctx);
	free(t);
}

/* ---- connections ---- */

struct bufferevent *
tls_accept(struct tls *t, struct event_base *base)
{
	SSL			*ssl = SSL_new(t->ctx);
	struct bufferevent	*bev = ssl != NULL ? bufferevent_openssl_socket_new(base, -1, ssl,
				    BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE) : NULL;

	if (bev == NULL)
		SSL_free(ssl);
	return bev;
}

bool
tls_is_shaken(struct bufferevent *bev)
{
	return SSL_is_init_finished(bufferevent_openssl_get_ssl(bev));
}

void
tls_say(struct bufferevent *bev, const char *text)
{
	SSL	*ssl = bufferevent_openssl_get_ssl(bev);

	if (!SSL_is_init_finished(ssl))
		return;
	(void)SSL_write(ssl, text, (int)strlen(text));
	(void)SSL_shutdown(ssl);
	ERR_clear_error();
}

const char *
tls_complain(struct bufferevent *bev)
{
	static const char	plain[] = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"
				    "Content-Type: text/plain\r\nContent-Length: 34\r\n\r\n"
				    "this port is for https, not http.\n";
	const unsigned long	code = bufferevent_get_openssl_error(bev);

	if (code == 0 || tls_is_shaken(bev))
		return NULL;
	if (ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_HTTP_REQUEST)
		(void)send(bufferevent_getfd(bev), plain, sizeof plain - 1,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
	return ERR_reason_error_string(code);
}

/* ---- certificates ---- */

static void
add_proof(struct proof *out, unsigned max, unsigned *n, const ASN1_STRING *text)
{
	unsigned char	*utf8 = NULL;
	const int	 bytes = text != NULL ? ASN1_STRING_to_UTF8(&utf8, text) : -1;

	if (bytes > 0 && *n < max && (size_t)bytes < sizeof out->name &&
	    strlen((const char *)utf8) == (size_t)bytes) {
		out[*n] = (struct proof){ .kind = PROOF_CERTIFICATE };
		memcpy(out[*n].name, utf8, (size_t)bytes + 1);
		++*n;
	}
	OPENSSL_free(utf8);
}

static void
add_alternatives(X509 *x, struct proof *out, unsigned max, unsigned *n)
{
	GENERAL_NAMES	*names = X509_get_ext_d2i(x, NID_subject_alt_name, NULL, NULL);

	for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
		const GENERAL_NAME	*g = sk_GENERAL_NAME_value(names, i);

		if (g->type == GEN_DNS)
			add_proof(out, max, n, g->d.dNSName);
		else if (g->type == GEN_EMAIL)
			add_proof(out, max, n, g->d.rfc822Name);
	}
	GENERAL_NAMES_free(names);
}

static void
add_common_names(X509 *x, struct proof *out, unsigned max, unsigned *n)
{
	const X509_NAME	*subject = X509_get_subject_name(x);

	for (int at = -1; (at = X509_NAME_get_index_by_NID(subject, NID_commonName, at)) >= 0;)
		add_proof(out, max, n, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
}

/* A certificate that was not verified ended the handshake. */
unsigned
tls_proofs(struct bufferevent *bev, struct proof *out, unsigned max)
{
	SSL		*ssl = bufferevent_openssl_get_ssl(bev);
	X509		*x = SSL_get0_peer_certificate(ssl);
	unsigned	 n = 0;

	if (x == NULL || SSL_get_verify_result(ssl) != X509_V_OK)
		return 0;
	add_common_names(x, out, max, &n);
	add_alternatives(x, out, max, &n);
	for (unsigned i = 0; i < n; i++)
		out[i].expires = end_of(x);
	ERR_clear_error();
	return n;
}

bool
tls_still_trusts(struct tls *t, struct bufferevent *bev)
{
	SSL		*ssl = bufferevent_openssl_get_ssl(bev);
	X509_STORE_CTX	*check = X509_STORE_CTX_new();
	bool		 ok = false;

	if (check != NULL && SSL_CTX_get_verify_mode(t->ctx) != SSL_VERIFY_NONE &&
	    X509_STORE_CTX_init(check, SSL_CTX_get_cert_store(t->ctx),
	    SSL_get0_peer_certificate(ssl), SSL_get_peer_cert_chain(ssl)) == 1 &&
	    X509_STORE_CTX_set_default(check, "ssl_client") == 1)
		ok = X509_verify_cert(check) == 1;
	X509_STORE_CTX_free(check);
	ERR_clear_error();
	return ok;
}

bool
tls_is_for(const struct tls *t, const char *host)
{
	X509	*x = SSL_CTX_get0_certificate(t->ctx);

	return X509_check_host(x, host, strlen(host), 0, NULL) == 1 ||
	    X509_check_ip_asc(x, host, 0) == 1;
}
