/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_CLIENT_H
#define ASSAY_CLIENT_CONNECT_CLIENT_H

#include <jansson.h>

#include "client/lib/assay.h"
#include "proto/base/fault.h"

/* libassay's texts and errors as JSON values and faults: the one place that translates them. */

enum status	 client_fault(struct fault *, const struct assay_error *);

/* As assay_call; `params` is borrowed, NULL for none. *result is a new reference. */
enum status	 client_call(struct assay *, const char *method, const json_t *params,
		    json_t **result, struct fault *);
/* As assay_next. */
enum status	 client_next(struct assay *, int timeout_ms, json_t **params, struct fault *);
void		 client_set_timeout(struct assay *, int timeout_ms);	/* -1: none */

#endif
