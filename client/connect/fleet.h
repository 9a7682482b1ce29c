/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_FLEET_H
#define ASSAY_CLIENT_CONNECT_FLEET_H

#include <limits.h>

#include <jansson.h>

#include "client/print/cli.h"

/*
 * Daemons of several hosts: -H A,B.  Each is the path of a Unix socket, an address over HTTP, or a
 * name that the file of hosts has one for: lines of name = address, in $ASSAY_HOSTS or
 * ~/.config/assay/hosts.
 */
bool		 fleet_asked(const struct cli *);

/* An address as it is; that of a name.  ST_NOT_FOUND: the file has no such name. */
enum status	 fleet_address(const char *name, char address[PATH_MAX], struct fault *);

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
