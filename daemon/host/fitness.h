/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_FITNESS_H
#define ASSAY_DAEMON_HOST_FITNESS_H

#include <jansson.h>

#include "daemon/host/grade.h"

/*
 * Is this host fit for timing, and how would it become so?  Needs no rights: what cannot be read is
 * reported as such.  The report is told in proto/PROTOCOL.md (host.get, "fitness").
 */
struct fitness;

struct fitness_config {			/* borrowed for fitness_new alone */
	const char	*root;		/* "" the real host */
	const char	*run_dir;	/* where assay-hostd keeps its journal, a real path */
	const cpu_set_t	*slot;		/* the timing CPUs, slot by slot; none: the last core's
					 * first */
	unsigned	 nslots;
	const int	*slot_fd;	/* one for each slot, see hostd_msg.h; NULL: none */
	unsigned	 probe_ms;	/* spin on each timing CPU for so long, beside the caller;
					 * 0: do not */
};

enum status	 fitness_new(struct fitness **, const struct fitness_config *, struct fault *);
void		 fitness_free(struct fitness *);
void		 fitness_wait(struct fitness *);	/* until the probes are through */

/*
 * The cheap parts once more: knobs and partition.  ST_UNAVAILABLE: the partition of the timing CPUs
 * has become invalid, nothing may be timed.  The hash, 16 hex digits, is of what stays put between
 * two looks: two results with the same hash were taken on a host in the same state.  Valid until
 * the next look.
 */
enum status	 fitness_look(struct fitness *, struct fault *);
const char	*fitness_hash(const struct fitness *);

/*
 * { grade, reasons, hash, tuned, partition, knobs, evidence }, after a look; new reference, NULL:
 * out of memory.
 */
json_t		*fitness_report(struct fitness *);

#endif
