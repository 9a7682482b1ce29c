/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_FLEET_H
#define ASSAY_CLIENT_CONNECT_FLEET_H

#include <jansson.h>

#include "client/print/cli.h"

/* Daemons of several hosts: -H A,B. */

/*
 * The same call to each host; params is taken.  *answers: [{ host, host_class, answer }] of those
 * that answered, a new reference.  Each other is reported on stderr; the first one's fault is
 * returned, with the answers of the rest.
 */
enum status	 fleet_call(const struct cli *, const char *method, json_t *params,
		    json_t **answers, struct fault *);

/* "bench1 (host class 3f0c1b2a9d47):" */
void		 fleet_print_heading(const json_t *answer, bool is_first);
/* [{ host, host_class, `member`: answer }] as --json or --ndjson has it. */
enum status	 fleet_print_json(const struct cli *, const json_t *answers, const char *member,
		    struct fault *);

#endif
