/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/lib/problem.h"
#include "client/lib/web_reply.h"

static const char *
name_of(const struct address *a)
{
	return a->kind == ADDRESS_HTTP_UNIX ? a->path : a->url;
}

/* ---- no reply ---- */

static bool
says(const struct web_end *e, const char *words)
{
	return strstr(e->words, words) != NULL;
}

/* The certificate of the daemon was refused here. */
static void
hint_at_certificate(const struct credentials_found *f, const struct web_end *e,
    struct assay_error *why)
{
	if (says(e, "host name") || says(e, "hostname"))
		(void)problem_hint(why, "use a name that the certificate has, or have one made "
		    "with this name");
	else if (says(e, "expired") || says(e, "not yet valid"))
		(void)problem_hint(why, "the operator must renew the daemon's certificate; is "
		    "this host's clock right?");
	else if (f->ca[0] != '\0')
		(void)problem_hint(why, "it is not signed by %.150s: give the file of the "
		    "daemon's own authority, --ca FILE", f->ca);
	else
		(void)problem_hint(why, "give the authority that signed it: --ca FILE, "
		    "$ASSAY_CA_FILE or ~/.config/assay/ca.pem");
}

/* The daemon refused this client's certificate, or wants one. */
static bool
is_about_ours(const struct web_end *e)
{
	return says(e, "alert certificate required") || says(e, "alert bad certificate") ||
	    says(e, "alert unknown ca") || says(e, "alert handshake failure") ||
	    says(e, "alert certificate expired") || says(e, "alert certificate unknown") ||
	    says(e, "alert unsupported certificate") || says(e, "alert certificate revoked");
}

static void
hint_at_daemon(const struct address *a, struct assay_error *why)
{
	if (a->kind == ADDRESS_HTTPS)
		(void)problem_hint(why, "does a daemon run there, with tls = ADDRESS:PORT in its "
		    "assayd.conf?");
	else
		(void)problem_hint(why, "is a daemon running with --http or --http-socket?");
}

static void
no_reply(const struct address *a, const struct credentials_found *f, const struct web_end *e,
    struct assay_error *why)
{
	if (e->code == CURLE_WRITE_ERROR) {
		(void)problem(why, "io", "the daemon's reply is endless");
		return;
	}
	(void)problem(why, "unavailable", "%.300s: %s", name_of(a), e->words);
	if (e->code == CURLE_PEER_FAILED_VERIFICATION) {
		(void)snprintf(why->word, sizeof why->word, "denied");
		hint_at_certificate(f, e, why);
	} else if (is_about_ours(e)) {
		(void)snprintf(why->word, sizeof why->word, "denied");
		(void)problem_hint(why, f->cert[0] != '\0' ? "the daemon takes clients' "
		    "certificates of its own authority, while they are valid: ask its operator "
		    "for one" :
		    "the daemon wants a certificate: --cert FILE --key FILE");
	} else if (e->code == CURLE_SSL_CERTPROBLEM || e->code == CURLE_SSL_CACERT_BADFILE) {
		(void)snprintf(why->word, sizeof why->word, "bad_request");
		(void)problem_hint(why, "are --ca, --cert and --key PEM files, and does the key "
		    "belong to the certificate?");
	} else {
		hint_at_daemon(a, why);
	}
}

/* ---- replies ---- */

static const char *
word_of_http(long code)
{
	return code == 404 ? "not_found" : code == 409 ? "conflict" :
	    code == 403 || code == 401 ? "denied" : code == 429 || code == 503 ? "full" :
	    code >= 300 && code < 500 ? "bad_request" : "internal";
}

/* Which token was refused is known here alone. */
static void
hint_at_token(const struct address *a, const struct credentials_found *f, struct assay_error *why)
{
	if (a->kind != ADDRESS_HTTPS)
		return;
	if (f->token[0] != '\0')
		(void)problem_hint(why, "%.120s is refused: it is wrong, expired or withdrawn. Ask "
		    "the operator for a new one", f->token_from);
	else
		(void)problem_hint(why, "no token was sent: put yours into $ASSAY_TOKEN, "
		    "~/.config/assay/token (mode 0600) or --token-file FILE");
}

static void
refused(const struct address *a, const struct credentials_found *f, const struct web_end *e,
    const struct span *document, struct assay_error *why)
{
	const struct span	detail = scan_member(document, "detail");
	char			sentence[sizeof why->text];

	scan_string(&detail, sentence, sizeof sentence);
	if (sentence[0] == '\0')
		(void)snprintf(sentence, sizeof sentence, "HTTP %ld", e->http);
	(void)problem_of(why, document, sentence, word_of_http(e->http));
	if (e->http == 401)
		hint_at_token(a, f, why);
}

const char *
web_reply(const struct address *a, const struct credentials_found *f, const struct web_end *e,
    struct assay_error *why)
{
	struct span	document;

	if (e->code != CURLE_OK) {
		no_reply(a, f, e, why);
		return NULL;
	}
	if (!scan_text(e->body, e->bytes, &document) || !scan_is_object(&document)) {
		(void)problem(why, "io", "%.300s: HTTP %ld with no JSON object: is that a daemon "
		    "of Assay?", name_of(a), e->http);
		if (e->http >= 300 && e->http < 400)
			(void)problem_hint(why, "it points elsewhere, and is not followed");
		return NULL;
	}
	if (e->http == 200 || e->http == 201)
		return document.at;
	refused(a, f, e, &document, why);
	return NULL;
}
