/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_TAKE_PARTS_H
#define ASSAY_WORKER_TAKE_TAKE_PARTS_H

#include "worker/take/doubling.h"
#include "worker/take/stop.h"
#include "worker/take/take.h"

/*
 * What the two parts of taking samples share.  take_probe.c finds out, with a few samples that nobody keeps, what has
 * to be known before others are taken: how long a call is, how many make a sample, what a region costs beside them, and
 * what its two ends add or hide.  take.c then takes samples and keeps the good ones.  Both order by take_run.
 */
struct taking {
	struct take			*take;
	struct plan			*plan;
	const struct tick		*tick;
	const struct take_runner	*runner;
	struct bench_reply		*reply;
	struct stop			 stop;
	struct doubling		*pairs;		/* a sample is the difference of two regions; NULL: it is one */
	bool				 judged;	/* by the canary, even after it was given up */
	bool				 judged_memory;	/* by the memory canary, likewise */
	uint64_t			 deadline_ns;
	uint64_t			 cost_ns;	/* of one sample with all that goes before it, by our clock */
	uint64_t			 fifo_ns;	/* spent under SCHED_FIFO since the last pause */
	uint64_t			 lost_ns;	/* with samples that do not count, and with naps */
	size_t				 room;		/* samples that fit in take->sample */
	size_t				 burst;		/* most samples of an order, as loud as it is */
	unsigned			 naps;		/* in a row, up to the longest */
	unsigned			 unquiet;	/* of those taken, as long as the canaries are on */
};

/* One order, as the plan has it: its samples are in t->answer, and the gate has seen them. */
enum status	 take_run(struct taking *, enum runner_kind, uint64_t calls, uint32_t samples);

/* The least region of a few, in ns. */
enum status	 take_probe(struct taking *, enum runner_kind, uint64_t calls, uint32_t samples, double *ns);

/* Make the areas, choose the plan's calls and whether it wakes the core, set the take's overhead and edge. */
enum status	 take_prepare(struct taking *);

enum { TAKE_PROBES = 3 };		/* samples that a decision is based on */

#endif
