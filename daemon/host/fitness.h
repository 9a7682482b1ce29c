/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_FITNESS_H
#define ASSAY_DAEMON_HOST_FITNESS_H

#include <jansson.h>

#include "daemon/host/grade.h"

/*
 * Is this host fit for timing, and how would it become so?  Needs no privileges: what cannot be
 * read is reported as such. proto/PROTOCOL.md describes the report (host.get, "fitness").
 */
struct fitness;

struct fitness_config {			/* borrowed for fitness_new alone */
	const char	*root;		/* "" the real host */
	const char	*run_dir;	/* of assay-hostd's journal, a real path */
	/* the timing CPUs, slot by slot; none: the first CPU of the last core */
	const cpu_set_t	*slot;
	unsigned	 nslots;
	const int	*slot_fd;	/* one for each slot, see hostd_msg.h; NULL: none */
	/* duration of the spin on each timing CPU, beside the caller; 0: no spin */
	unsigned	 probe_ms;
	const struct container_tries	*tries;	/* NULL: the real ones */
};

enum status	 fitness_new(struct fitness **, const struct fitness_config *, struct fault *);
void		 fitness_free(struct fitness *);
void		 fitness_wait(struct fitness *);	/* until the probes have ended */

/*
 * Look at the cheap parts once more: knobs and partition.  ST_UNAVAILABLE: the partition of the
 * timing CPUs has become invalid; timing is forbidden.
 *
 * The hash, 16 hex digits, covers all that stays the same between two looks: results with one hash
 * come from a host in the same state.  Valid until the next look.
 */
enum status	 fitness_look(struct fitness *, struct fault *);
const char	*fitness_hash(const struct fitness *);

/*
 * Cheap, for the two ends of a timing: has a program written a knob since the last look, or are the
 * partition, the CPUs or the kernel's clock no longer what it found?  Then look.  The rest of what
 * the kernel changes by itself is seen by the next look alone.
 */
bool		 fitness_has_changed(struct fitness *);
/* false: fitness_has_changed sees no writes, so look more often. */
bool		 fitness_is_watched(const struct fitness *);

/*
 * { grade, reasons, hash, tuned, partition, knobs, evidence, container }, after a look.  New
 * reference; NULL: out of memory.
 */
json_t		*fitness_report(struct fitness *);

#endif
