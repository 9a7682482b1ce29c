/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_HOST_HOST_UPKEEP_H
#define ASSAY_CLIENT_CMD_HOST_HOST_UPKEEP_H

#include <stdbool.h>

#include <jansson.h>

#include "client/connect/connection.h"

/* The host's calibration and reference: run and print them. */

/*
 * Call host.calibrate or host.reference (errand "calibrate", "reference"), and wait for its end.
 * *host: the reply of host.get afterwards, a new reference.  ST_INTERNAL: it failed, with the
 * reason.
 */
enum status	 host_upkeep_run(struct connection *, const char *errand, bool quiet, json_t **host,
		    struct fault *);

/*
 * Relative differences of times below it mean nothing there: only one in twenty pairs of times of
 * its reference kernel differs more.  NaN: their spread is not known, or more than a day old.
 */
double		 host_upkeep_noise(const json_t *host, bool in_cache);

/* One line each. */
void		 host_upkeep_print_calibration(const json_t *calibration);
void		 host_upkeep_print_reference(const json_t *reference, int indent);

/* A table, and the flush area found */
void		 host_upkeep_print_curve(const json_t *calibration);

#endif
