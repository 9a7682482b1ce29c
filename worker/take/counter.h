/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_COUNTER_H
#define ASSAY_WORKER_TAKE_COUNTER_H

#include <sys/types.h>

#include "proto/wire/report.h"
#include "worker/take/energy.h"
#include "worker/take/take.h"

/*
 * Performance counters by libpfm's names.  The supervisor opens them on the variant's process from
 * outside: nothing in the jail may open or read one.  They run while the process does.  So two
 * orders are counted that differ by the routine alone: n samples of it, and n of one empty call.
 * Before each reading the process has gone to sleep.
 *
 * Energy is that of the package, in steps that the kernel names (worker/take/energy.h).
 *
 * An event that cannot be counted is absent, with the reason, and never 0.
 */
enum { COUNTER_WORDS = 160, COUNTER_EVENT = 256 };

struct counter {
	char		 name[SPEC_COUNTER_BYTES];	/* as the spec has it */
	char		 event[COUNTER_EVENT];		/* in full, as libpfm encoded it; "": it did
							 * not */
	char		 absent[COUNTER_WORDS];		/* why; "": it is there */
	int		 fd;				/* owned; -1: none */
	double		 step;				/* of the count, in `unit`; 1 for events */
	char		 unit[ENERGY_UNIT];		/* "": events */
	double		 per_call;
	double		 counted;			/* of the time, 1 unless more events than
							 * counters took turns */
};

struct counters {
	struct counter	 one[SPEC_MAX_COUNTERS];
	unsigned	 n;
	uint64_t	 calls;				/* of the routine, that were counted */
};

/* Open the spec's events on a process of ours and the threads it starts.  Close in any case. */
void		 counter_open(struct counters *, const struct timing *, pid_t);
void		 counter_close(struct counters *);

/*
 * Fill in per_call for a closed plan with chosen calls and a sample of sample_ns.  Of the setting,
 * orders, clock and deadline are used.  ST_OK as well when all are absent, for one because the
 * deadline is near; else `reply` has the words.
 */
enum status	 counter_run(struct counters *, const struct plan *, const struct take_setting *,
		    double sample_ns, struct bench_reply *);

/* ST_BAD_SPEC: libpfm knows no such event; the place and its words. */
enum status	 counter_check(const struct timing *, struct fault *);

/* List of struct counter_report; false: no memory. */
bool		 counter_report(const struct counters *, struct shape_list *);
/*
 * Names of every event of this machine, by libpfm; none without it.  The list is to be freed;
 * false: no memory.
 */
bool		 counter_names(struct shape_texts *);

#endif
