/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_TAKE_PARTS_H
#define ASSAY_WORKER_TAKE_TAKE_PARTS_H

#include "worker/stop/stop.h"
#include "worker/take/take.h"

/*
 * Common state of the parts of taking samples, in the order in which take.c goes through them:
 *
 *	take_probe.c	finds, by a few samples that are not kept: the length of a call, the calls
 *			of a sample, the cost of a region, and what its ends add or hide.
 *	take_collect.c	takes samples until enough of them count.
 *	take_keep.c	keeps the ones that stand for the job, in nanoseconds.
 *	take_prove.c	proves that operands were in the state asked for.
 *
 * All order by take_order.c.
 */
struct taking {
	struct take			*take;
	struct plan			*plan;
	const struct take_setting	*with;
	struct bench_reply		*reply;
	struct stop			 stop;
	/* samples are judged by the canary, even after it was given up */
	bool				 judged;
	bool				 judged_memory;	/* the same by the memory canary */
	uint64_t			 cost_ns;	/* of one sample, with its preparation */
	uint64_t			 last_samples;	/* of the last process */
	uint64_t			 least_cost_ns;	/* of them all; 0: none yet */
	uint64_t			 fifo_ns;	/* under SCHED_FIFO since the last pause */
	uint64_t			 replied_ns;	/* when the last order ended; 0: none yet */
	uint64_t			 lost_ns;	/* on samples that do not count, naps */
	uint64_t			 input;		/* number of the next region's first */
	size_t				 room;		/* samples that fit in take->sample */
	size_t				 burst;	/* most samples of an order at the present noise */
	unsigned			 naps;		/* in a row, up to the longest */
	/* samples that were not quiet, canaries being on */
	unsigned			 unquiet;
	/* of a walk: calls of all processes; passes of the next order */
	uint64_t			 walked, passes;
	unsigned			 own_clean;	/* of the present process */
	unsigned			 others;	/* that the processes before it gave */
	unsigned			 each;	/* samples of a process; 0: all are of one */
	unsigned			 extra;	/* so many processes, the first, give one more */
};

/* One order, as the plan has it: its samples are in t->reply, and the gate has seen them. */
enum status	 take_order(struct taking *, const struct link *, enum runner_kind, uint64_t calls,
		    uint32_t samples);

/* Samples that the next order may ask for; 0: the wall limit leaves no time for another. */
uint32_t	 take_batch_size(const struct taking *, size_t missing);

/* The samples of the n-th process are there, counted from 1: by what limit were they cold? */
void		 take_see_cold(struct taking *, unsigned n);

/* The least region of a few, in ns. */
enum status	 take_probe(struct taking *, enum runner_kind, uint64_t calls, uint32_t samples,
		    double *ns);

/*
 * Have warm orders begin with as many untimed calls as it takes until their times have stopped
 * falling (warm_up.h); operands are warm in the plan, call_ns is about what one takes.
 */
enum status	 take_warm_up(struct taking *, double call_ns);

/*
 * One call as the plan has it, without the cost of calling.  The first may take any time, so it is
 * not under SCHED_FIFO; a short one is then taken again.
 */
enum status	 take_probe_call(struct taking *, double *ns);

/* Choose the plan's calls and whether it wakes the core, set the take's overhead and edge. */
enum status	 take_prepare(struct taking *);

/* Samples until enough are undisturbed and quiet, or the others took too long. */
enum status	 take_collect(struct taking *);

/* With too few clean samples: go on as if there were no memory canary; no canary. */
void		 take_give_up_memory(struct taking *);
void		 take_give_up_quiet(struct taking *);

/*
 * Is that part of those wanted clean, or of those taken if they are fewer, and three at least?  One
 * in TAKE_ENOUGH can stand for the result, since samples beside a neighbour are off by much more
 * than chance.  Memory is waited for until it is one in TAKE_QUIET_MEMORY.
 */
bool		 take_has_share(const struct take *, unsigned parts);
enum { TAKE_ENOUGH = 6, TAKE_QUIET_MEMORY = 3 };

/* Keep the clean ones; with too few of them the best of the others too.  Convert them. */
void		 take_keep(struct taking *);

/* Were the operands where the plan wants them?  ST_INTERNAL: no; the reply has the words. */
enum status	 take_prove(struct taking *);

enum {
	TAKE_PROBES		= 3,	/* samples that a decision is based on */
	TAKE_PROOF_EVERY	= 3,	/* processes of which one proves its operands' states */
};

#endif
