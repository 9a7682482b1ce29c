/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_RECEIVE_H
#define ASSAY_CLIENT_CONNECT_RECEIVE_H

#include "client/connect/connection.h"
#include "client/print/progress.h"
#include "proto/wire/result.h"

/* One result: its document, and what was read of it; both borrowed for the call. */
typedef enum status receive_fn(void *arg, const json_t *document, const struct result *,
		    struct fault *);

/*
 * Wait for the result of each of `ids`, which were submitted on this connection with `follow`.
 * Another status than ST_OK from on_result ends it and is returned; ST_CANCELLED: Ctrl-C.
 */
enum status	 receive_results(struct connection *, const json_t *ids, struct progress *,
		    receive_fn *on_result, void *arg, struct fault *);
/* The same with the reply to sweep.create, which has no ids of a large sweep. */
enum status	 receive_sweep(struct connection *, const json_t *created, struct progress *,
		    receive_fn *on_result, void *arg, struct fault *);

#endif
