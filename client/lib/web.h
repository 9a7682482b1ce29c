/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_WEB_H
#define ASSAY_CLIENT_LIB_WEB_H

#include "client/lib/address.h"
#include "client/lib/calls.h"
#include "client/lib/credentials.h"

/*
 * Calls over HTTP, each a request.  A problem document (RFC 9457) becomes an error.  Redirections
 * are not followed, and a token is sent with https: alone.
 */
struct web;

int	 web_open(struct web **, const struct address *, const struct credentials *,
	    struct assay_error *why);
void	 web_free(struct web *);		/* NULL is fine */

/* As in assay.h. */
int64_t	 web_begin(struct web *, const char *method, const char *params, assay_reply_fn *,
	    void *arg, struct assay_error *why);
void	 web_drop(struct web *, int64_t call);
int	 web_fd(const struct web *);		/* wants POLLIN */
int	 web_step(struct web *, struct assay_error *why);

#endif
