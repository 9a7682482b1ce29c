/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_CALLS_H
#define ASSAY_CLIENT_LIB_CALLS_H

#include <stdbool.h>

#include "client/lib/assay.h"

/* A call that has not been answered. */
struct call {
	int64_t		 id;
	assay_reply_fn	*on_reply;
	void		*arg;		/* the caller's */
	void		*request;	/* the transport's; NULL: none */
	struct call	*next;
};

/* In the order in which they began. */
struct calls {
	struct call	 *first, **last;
};

void		 calls_init(struct calls *);
struct call	*calls_add(struct calls *, int64_t id, assay_reply_fn *, void *arg);
/* Taken out, for free(3); NULL: it is not there. */
struct call	*calls_take(struct calls *, int64_t id);
/* Each fails with these words. */
void		 calls_fail(struct calls *, const struct assay_error *);
void		 calls_release(struct calls *);

#endif
