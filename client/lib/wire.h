/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_WIRE_H
#define ASSAY_CLIENT_LIB_WIRE_H

#include "client/lib/address.h"
#include "client/lib/calls.h"

/*
 * JSON-RPC over a stream: one JSON object a line, both ways.  A line with an id is a reply, one
 * with a method a notification, whose params go to on_notification.
 */
struct wire;

int	 wire_open(struct wire **, const struct address *, assay_notification_fn *on_notification,
	    void *arg, struct assay_error *why);
void	 wire_free(struct wire *);		/* NULL is fine */

/* As in assay.h. */
int64_t	 wire_begin(struct wire *, const char *method, const char *params, assay_reply_fn *,
	    void *arg, struct assay_error *why);
void	 wire_drop(struct wire *, int64_t call);
int	 wire_fd(const struct wire *);
int	 wire_wants(const struct wire *);
int	 wire_step(struct wire *, struct assay_error *why);

#endif
