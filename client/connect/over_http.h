/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_OVER_HTTP_H
#define ASSAY_CLIENT_CONNECT_OVER_HTTP_H

#include <stdbool.h>

#include <jansson.h>

#include "client/lib/assay.h"
#include "proto/base/fault.h"

/*
 * Calls over HTTP, and what HTTP lacks: results that follow a submission.  These are asked for one
 * after another, each with a wait.
 */
struct over_http {
	struct assay	*assay;		/* borrowed */
	json_t		*ids;		/* owned; of jobs whose results are to come */
	size_t		 next;		/* in ids */
	json_t		*sweep;		/* owned; a large sweep to follow; NULL: none */
	json_t		*cursor;	/* owned; of the sweep's page; NULL: the first */
	json_t		*page;		/* owned; its results; NULL: none yet */
	size_t		 seen;		/* of this page */
	int		 stop_fd;	/* ends waits; -1: none; borrowed */
};

void		 over_http_init(struct over_http *, struct assay *);
void		 over_http_release(struct over_http *);

/* As connection_call, but params are borrowed.  Those with a wait take as long. */
enum status	 over_http_call(struct over_http *, const char *method, const json_t *params,
		    json_t **result, struct fault *);
/* As connection_next. */
enum status	 over_http_next(struct over_http *, int timeout_ms, json_t **params,
		    struct fault *);

#endif
