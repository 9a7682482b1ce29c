/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_COPIES_H
#define ASSAY_WORKER_CHAIN_COPIES_H

#include "worker/chain/link.h"

/*
 * Copies of one variant that run at once, each on a CPU of its own.  The last link: an order goes
 * to all of them.  A sample of the reply stands for all: its ticks are the median of the copies'
 * ticks, and a disturbance of one disturbs it.
 *
 * There are two such links.  Orders to the second are kept, sample by sample and copy by copy: so
 * each core has a row of its own in the result.
 */
struct copies_sample {
	uint64_t	 ready_ns, began_first_ns, began_last_ns;	/* ready: the last copy */
	uint64_t	 ended_first_ns, ended_last_ns;
};

/* An order to all copies; bench_run_copies, or the same of programs (program_lane.h). */
struct copies_source {
	enum status	 (*run)(void *arg, const struct runner_run *, uint64_t deadline_ns,
			    const struct bench_copies *, struct bench_reply *);
	void		*arg;			/* borrowed */
};
struct copies_source copies_of_bench(struct bench *);	/* borrows */

struct copies {
	struct copies_source	 source;
	const uint64_t		*deadline_ns;		/* of orders to come; borrowed */
	unsigned		 n;
	/* the least regions with empty calls: with one, and with those of the last such order */
	uint64_t		 single[RUNNER_MOST_COPIES], empty[RUNNER_MOST_COPIES];

	/* of samples that are kept, in the order of taking; owned */
	size_t			 samples, room;
	uint64_t		*ticks;			/* n of each sample */
	struct copies_sample	*when;

	/* of the order at hand */
	const struct runner_run	*run;
	uint64_t		*one;			/* ticks, n of each sample; owned */
	struct copies_sample	 met[RUNNER_SAMPLES];
	bool			 pinned;
	struct bench_reply	 whole;			/* as it grows */
};

/* ST_NOMEM: nothing is left to release. */
enum status	 copies_begin(struct copies *, struct copies_source,
		    const uint64_t *deadline_ns, unsigned n, struct fault *);
void		 copies_release(struct copies *);	/* harmless on zeroes */

struct link	 copies_link(struct copies *);		/* borrows */
struct link	 copies_kept_link(struct copies *);	/* the same; its samples are kept */

/* Ticks of a copy in the nth sample that was kept, and what an empty region took it. */
uint64_t	 copies_ticks(const struct copies *, unsigned copy, size_t nth);
uint64_t	 copies_overhead(const struct copies *, unsigned copy, bool with_all_calls);

/* From the first copy's beginning to the last one's. */
uint64_t	 copies_skew_ns(const struct copies *, size_t nth);
/* Of the time from the first beginning to the last end, the part in which all were timed. */
double		 copies_window(const struct copies *, size_t nth);

#endif
