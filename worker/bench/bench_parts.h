/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_BENCH_PARTS_H
#define ASSAY_WORKER_BENCH_BENCH_PARTS_H

#include "worker/bench/bay.h"
#include "worker/bench/bench.h"
#include "worker/spawn/spawn.h"

/* Common state of the parts of a bench: bench.c, and bench_challenge.c for challenges. */
#define BENCH_SPIN_NS		30000u
#define BENCH_SPIN_LONG_NS	20000000u	/* where a wake-up would be measured, too */
#define BENCH_DROP_NS		5000000000u	/* a living template kills a child within it */

enum event { EV_REPLIED, EV_ENDED, EV_TIMEOUT, EV_STOPPED, EV_GONE };

struct bench {
	const struct slot	*slot;		/* borrowed */
	struct bay		 bay;
	struct jailed		 jailed;
	struct jail_end		 end;		/* once gone */
	bool			 gone;
	uint64_t		 oom_kills;	/* of its cell, before it */
	int			 fd;		/* of the shared memory; owned */
	struct runner_shm	*shm;		/* owned mapping */
	size_t			 bytes, lane_bytes;
	size_t			 output_at, challenge_at;	/* in a lane */
	/* ours: never read back */
	uint32_t		 order, scribe_order, lane_order[RUNNER_LANES];
	bool			 stopped[RUNNER_LANES];	/* by SIGSTOP */
	bool			 loaded[RUNNER_LANES];
	unsigned		 threads;	/* of a routine */
	bool			 filtered;	/* children install filters of system calls */
	bool			 raised[RUNNER_LANES];	/* runs under SCHED_FIFO */
	uint32_t		 best_pace;
	uint64_t		 ran_ns;	/* when an order of samples was last over, on any
						 * lane */
	unsigned		 objects;	/* linked so far: makes their names */
};

static inline struct runner_lane *
bench_lane_of(const struct bench *b, unsigned lane)
{
	return runner_lane_at(b->shm, b->lane_bytes, lane);
}

/*
 * Until the order has its reply, the lane's child is over (`ended`, may be NULL), or there is a
 * reason to give up.
 */
enum event	 bench_wait(struct bench *, struct runner_desk *, uint32_t order,
		    const uint32_t *ended, uint64_t deadline_ns, uint64_t spin_ns);

/*
 * Wait for the last order on the lane; the reply, or its absence, is one outcome with its words.
 */
enum status	 bench_lane_reply(struct bench *, unsigned lane, uint64_t given_ns,
		    uint64_t deadline_ns, uint64_t spin_ns, struct bench_reply *);
void		 bench_reply_begin(struct bench_reply *);
enum status	 bench_say(struct bench_reply *, enum status, const char *fmt, const char *with);

/* SCHED_FIFO for the child on the lane, where we may and it is wished; not for others. */
void		 bench_choose_policy(struct bench *, unsigned lane, bool realtime);

/* If it was stopped after a challenge. */
void		 bench_continue(struct bench *, unsigned lane);

#endif
