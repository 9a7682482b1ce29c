/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_PLACES_H
#define ASSAY_DAEMON_SETUP_PLACES_H

#include "daemon/setup/topology.h"

/*
 * Which housekeeping CPU has which work.  On a wide host, with three or more of them to a slot, the
 * last ones are for the slots' supervisors, one each: no compiler delays an order or a reply.
 * Elsewhere a supervisor and a builder share.
 */

/* Compilers at once; asked 0: one on each CPU that is for them. */
unsigned	 places_builders(const struct topology *, unsigned asked);
int		 places_builder_cpu(const struct topology *, unsigned builder);
int		 places_supervisor_cpu(const struct topology *, unsigned builders, unsigned slot);

#endif
