/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_REQUEST_H
#define ASSAY_DAEMON_DOORS_REQUEST_H

#include <jansson.h>

#include "proto/base/fault.h"

/* A line's JSON as a request of JSON-RPC 2.0.  No I/O. */
enum { REQUEST_ID_BYTES = 256 };		/* an id, as JSON */

struct request {
	const char	*method;	/* borrowed from the document */
	const json_t	*params;	/* borrowed; NULL: none */
	char		*id;		/* owned; JSON text; NULL: a notification */
};

/*
 * ST_BAD_REQUEST: no request.  The id is read first, so that any other fault can be answered under
 * it: the caller frees it in both cases.
 */
enum status	 request_read(struct request *, json_t *document, struct fault *);

#endif
