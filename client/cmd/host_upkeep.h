/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_HOST_UPKEEP_H
#define ASSAY_CLIENT_CMD_HOST_UPKEEP_H

#include <jansson.h>

#include "client/connect/connection.h"

/* What a host knows about itself: have it found out, and print it. */

/*
 * host.calibrate or host.reference ("calibrate", "reference"), and wait until it is over. *host is
 * host.get's reply afterwards; a new reference.  ST_INTERNAL: it failed, the words say why.
 */
enum status	 host_upkeep_run(struct connection *, const char *errand, bool quiet, json_t **host,
		    struct fault *);

/* In one line each, for a table of the host's members. */
void		 host_upkeep_print_calibration(const json_t *calibration);
void		 host_upkeep_print_reference(const json_t *reference, int indent);

void		 host_upkeep_print_curve(const json_t *calibration);	/* a table, and what it led to */

#endif
