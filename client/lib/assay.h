/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/*
 * libassay: a client of assayd(8).  assay(3) has a complete program; PROTOCOL.md has the methods,
 * and the JSON of their parameters and results, which pass through this library as text.
 *
 *	struct assay		*a = assay_new();
 *	struct assay_error	 why;
 *	char			*result;
 *
 *	if (assay_open(a, NULL, &why) == 0 &&
 *	    (result = assay_call(a, "queue.get", "{\"limit\":3}", &why)) != NULL)
 *		…
 *
 * Functions that return int return 0, or -1 with the reason in *why, which may be NULL.  One thread
 * at a time may use a client.  Texts are UTF-8.  The daemon is not trusted: a reply that is
 * malformed or endless is an error.
 */
struct assay;

/* All terminated; member and hint may be empty. */
struct assay_error {
	char	word[32];	/* the kind, as in PROTOCOL.md: "not_found", "unavailable", … */
	char	member[192];	/* the offending input: "job.spec.args.X.type" */
	char	text[768];	/* what is wrong */
	char	hint[256];	/* the remedy */
};

const char	*assay_version(void);		/* "0.1.0" */

struct assay	*assay_new(void);		/* NULL: no memory */
void		 assay_free(struct assay *);	/* NULL is fine; calls under way are dropped */

/*
 * Before assay_open; a value is copied, NULL takes it back.  "bad_request": there is no such
 * setting, or the value is none.
 *
 *	token		sent over https: alone.  Default: $ASSAY_TOKEN
 *	token-file	a file with the token, of which others may not read a byte.  Default:
 *			~/.config/assay/token, if it is there
 *	ca		PEM file of the authorities that may sign the daemon's certificate.
 *			Default: $ASSAY_CA_FILE, else ~/.config/assay/ca.pem, if it is there,
 *			else the system's
 *	cert, key	PEM files of the client's certificate and key.  Default: $ASSAY_CERT,
 *			$ASSAY_KEY
 *	timeout-ms	of assay_call; -1: none.  Default: 60000.  May be set at any time
 */
int		 assay_set(struct assay *, const char *name, const char *value,
		    struct assay_error *why);

/*
 * Connect to a daemon.  NULL stands for $ASSAY_SOCKET or, without it, the system's daemon.
 *
 *	/run/assay/assay.sock, unix:PATH	its Unix socket
 *	ssh://[user@]host[:port][/path]		one of another host, through ssh(1) and
 *						the assay there; path: of its socket
 *	https://host[:port]			HTTP with TLS 1.3
 *	http://host[:port], http+unix:PATH	HTTP; no token is ever sent there
 *
 * Over HTTP a connection is made with the first call, methods without a route are "bad_request",
 * and no notifications come.  "unavailable": no daemon listens there; "denied": it is not for this
 * user.
 */
int		 assay_open(struct assay *, const char *address, struct assay_error *why);
int		 assay_is_http(const struct assay *);	/* 1: notifications cannot come */

/* ---- blocking ---- */

/*
 * Call a method and wait for its reply.  `params` is a JSON object, or NULL.  Returns the JSON text
 * of the result, to be released with free(3), or NULL.
 *
 * A refusal keeps the daemon's word, member, text and hint.  "unavailable": the connection is lost,
 * or no reply came in time, which leaves the connection usable.  "io": the reply is malformed.
 * "cancelled": see assay_stop_on.
 */
char		*assay_call(struct assay *, const char *method, const char *params,
		    struct assay_error *why);

/*
 * The params of the next notification, oldest first, as JSON text for free(3).  *params is NULL:
 * none came within timeout_ms (-1: wait for ever, 0: only look).  Not after assay_on_notification.
 */
int		 assay_next(struct assay *, int timeout_ms, char **params, struct assay_error *why);

/* Once this descriptor is readable, blocking calls end with "cancelled". -1: none.  Never read. */
void		 assay_stop_on(struct assay *, int fd);

/* ---- in a loop of the caller's own ---- */

/*
 * A reply.  `result` is JSON text for the time of the call; NULL: it failed, see *why.  The
 * function may begin and drop calls, but not free the client or wait.
 */
typedef void	 assay_reply_fn(void *arg, const char *result, const struct assay_error *why);
typedef void	 assay_notification_fn(void *arg, const char *params);

/*
 * Begin a call, without waiting.  Returns its number, from 1; -1: it has not begun.  on_reply is
 * called once, from assay_step, or never if the call is dropped.
 */
int64_t		 assay_begin(struct assay *, const char *method, const char *params,
		    assay_reply_fn *on_reply, void *arg, struct assay_error *why);
/* Its reply is not wanted any more; the daemon may carry it out.  Other numbers are ignored. */
void		 assay_drop(struct assay *, int64_t call);

/* From now on notifications go there, from assay_step. */
void		 assay_on_notification(struct assay *, assay_notification_fn *, void *arg);

/*
 * Wait for these events (POLLIN, POLLOUT of poll(2)) of this descriptor, level-triggered, then call
 * assay_step.  The events change with each call of this library, the descriptor does not.  -1: the
 * client is not open.
 */
int		 assay_fd(const struct assay *);
int		 assay_wants(const struct assay *);

/*
 * Send and receive what goes without waiting, and call the functions above.  -1: the connection is
 * lost; all calls under way have failed, and the next ones will.
 */
int		 assay_step(struct assay *, struct assay_error *why);

#if defined __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
