/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_EVIDENCE_HOST_EVIDENCE_H
#define ASSAY_WORKER_EVIDENCE_HOST_EVIDENCE_H

#include <sched.h>
#include <stdbool.h>

#include "proto/wire/report.h"

/*
 * The host's influence on the timing CPU while samples were taken, as far as the kernel shows it.
 * Steal is time that a hypervisor gave to other guests.  A frequency that moves makes times of
 * different runs incomparable (Whaley and Castaldo, section 5.1).  The supervisor reads both from
 * outside, so none of it is a claim.
 *
 * Spans between begin and end add up; neither is in a timed region.  With NULL all of them do
 * nothing.
 */
struct host_evidence {
	const char	*root;		/* borrowed: where /proc and /sys begin; "" the real ones */
	/* -1: not pinned; then steal is of all CPUs, and no frequency is read */
	int		 cpu;
	/* their steal is added up: `cpu` and the CPUs of host_evidence_watch */
	cpu_set_t	 cpus;
	double		 steal_began;	/* ms, -1: not known */
	double		 steal_ms;	/* in all spans; -1: not known */
	bool		 has_frequency;
	double		 first_mhz, last_mhz;	/* when the first span began, when the last one
						 * ended */
	double		 least_mhz, most_mhz;	/* of all readings */
};

#define HOST_FREQUENCY_MOVED	1.02	/* most of the readings over the least */

void	 host_evidence_init(struct host_evidence *, const char *root, int cpu);
/* Add the CPUs of a routine with threads. */
void	 host_evidence_watch(struct host_evidence *, const cpu_set_t *);
void	 host_evidence_begin(struct host_evidence *);	/* the CPU has just worked: an idle one has
							 * no frequency */
void	 host_evidence_end(struct host_evidence *);
bool	 host_evidence_moved(const struct host_evidence *);

/* steal_ms, frequency_mhz and frequency_moved; none of what the host does not show. */
void	 host_evidence_report(const struct host_evidence *, struct sample_evidence *);

#endif
