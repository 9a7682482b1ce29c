/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_RECEIVE_H
#define ASSAY_CLIENT_CONNECT_RECEIVE_H

#include <jansson.h>

#include "client/connect/connection.h"
#include "client/print/progress.h"

/*
 * Until each of `ids` has had its result.  The submission asked for notifications.  What on_result returns other than
 * ST_OK ends it and is returned; ST_CANCELLED: Ctrl-C.
 */
typedef enum status receive_fn(void *arg, const json_t *result, struct fault *);
enum status	 receive_results(struct connection *, const json_t *ids, struct progress *, receive_fn *, void *arg,
		    struct fault *);

#endif
