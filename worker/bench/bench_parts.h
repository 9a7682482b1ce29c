/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_BENCH_PARTS_H
#define ASSAY_WORKER_BENCH_BENCH_PARTS_H

#include "worker/bench/bay.h"
#include "worker/bench/bench.h"
#include "worker/bench/proc/filters.h"
#include "worker/spawn/spawn.h"

/*
 * Common state of the parts of a bench: its life (bench.c), loads (bench_load.c) and drops
 * (bench_drop.c), orders (bench_run.c), their outcomes (bench_outcome.c), and what each file
 * bench_*.c says of itself.
 */
#define BENCH_SPIN_NS		30000u	/* for a lane; template and scribe take longer, and may
					 * need our CPU */
#define BENCH_SPIN_LONG_NS	20000000u	/* where a wake-up would be measured, too */
#define BENCH_DROP_NS		5000000000u	/* a living template kills a child within it */

enum event { EV_REPLIED, EV_ENDED, EV_TIMEOUT, EV_STOPPED, EV_GONE };

/* What is known of a lane's child: bench_child.c. */
struct bench_child {
	pid_t		 pid;		/* of a sealed one; 0: the kernel is asked each time */
	int		 stat_fd, schedstat_fd;	/* of a sealed one; owned; -1: not open */
	uint64_t	 seen_ns;	/* when its CPUs were last looked at */
	bool		 pinned;	/* as they were then */
	bool		 may_be_raised;	/* it leaves a CPU to us; as it was loaded */
};

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
	uint32_t		 order, scribe_order, lane_order[RUNNER_MOST_LANES];
	/* where each lane is in the shared memory: those of variants may change places */
	unsigned		 place[RUNNER_MOST_LANES];
	int			 leaving;	/* the place of a killed child that may not be gone
						 * yet; -1: none */
	bool			 stopped[RUNNER_MOST_LANES];	/* by SIGSTOP */
	bool			 loaded[RUNNER_MOST_LANES];
	bool			 is_small;	/* the next child may be there before the last one
						 * is gone */
	unsigned		 threads;	/* of a routine */
	unsigned		 copies;	/* of a variant that run at once; 1: there is one */
	uint64_t		 meeting;	/* the last that the copies came to */
	bool			 filtered;	/* children install filters of system calls */
	bool			 may_fork;	/* children may, by their profile */
	struct filters_known	 filters;
	struct bench_child	 child[RUNNER_MOST_LANES];
	pid_t			 scribe;	/* 0: not known yet */
	uint64_t		 asked_ns;	/* when the slot was last asked to stop */
	bool			 raised[RUNNER_MOST_LANES];	/* runs under SCHED_FIFO */
	uint32_t		 best_pace;
	uint64_t		 ran_ns;	/* when an order of samples was last over, on any
						 * lane */
	uint64_t		 levels_ns;	/* when the blank child measured the levels; 0: not
						 * yet */
	unsigned		 objects;	/* linked so far: makes their names */
};

static inline unsigned
bench_lanes(const struct bench *b)
{
	return RUNNER_LANES + b->copies - 1;
}

static inline struct runner_lane *
bench_lane_of(const struct bench *b, unsigned lane)
{
	return runner_lane_at(b->shm, b->lane_bytes, b->place[lane]);
}

/*
 * Until the order has its reply, the lane's child is over (`ended`, may be NULL), or there is a
 * reason to give up.
 */
enum event	 bench_wait(struct bench *, struct runner_desk *, uint32_t order,
		    const uint32_t *ended, uint64_t deadline_ns, uint64_t spin_ns);

/*
 * The same while an order on the lane is carried out.  A child with SCHED_FIFO that takes a second
 * loses it: until the wall limit nothing else would run on its CPU.
 */
enum event	 bench_wait_for(struct bench *, unsigned lane, struct runner_desk *, uint32_t order,
		    uint64_t deadline_ns, uint64_t spin_ns);

/* The outcome of an order to the template. */
enum status	 bench_template_status(struct bench *, enum event, struct fault *);
/* One that runner_shm.h knows, whatever the word is. */
enum runner_reply bench_read_reply(const uint32_t *from);

/*
 * Wait for the last order on the lane; the reply, or its absence, is one outcome with its words.
 */
enum status	 bench_lane_reply(struct bench *, unsigned lane, uint64_t given_ns,
		    uint64_t deadline_ns, uint64_t spin_ns, struct bench_reply *);
/* The same where the wait is over, by this event. */
enum status	 bench_lane_outcome(struct bench *, unsigned lane, enum event, uint64_t given_ns,
		    struct bench_reply *);
void		 bench_reply_begin(struct bench_reply *);
void		 bench_read_samples(const struct bench *, unsigned lane, uint32_t n,
		    struct bench_reply *);
enum status	 bench_say(struct bench_reply *, enum status, const char *fmt, const char *with);

/*
 * A load is over: the child's pace at rest, and what holds for as long as it lives.  If its filters
 * are not as they should be, that is the reply.
 */
void		 bench_child_begin(struct bench *, unsigned lane, struct bench_reply *);
void		 bench_child_end(struct bench *, unsigned lane);
bool		 bench_child_is_pinned(struct bench *, unsigned lane);
pid_t		 bench_child_sealed(const struct bench *, unsigned lane);	/* 0: it is not */
/* Has the child at this place signed, and not ended since? */
bool		 bench_child_signs(const struct bench *, unsigned place);
/* Stop it, and wait until it is; false: it may still run. */
bool		 bench_child_halt(struct bench *, unsigned lane);

/* Text that a runner or a program wrote: terminated, plain ASCII, one line unless `lines`. */
void		 bench_read_words(char *to, size_t bytes, const char *from, size_t from_bytes,
		    bool lines);

/* SCHED_FIFO for the child on the lane, where we may and it is wished; not for others. */
void		 bench_choose_policy(struct bench *, unsigned lane, bool realtime);

/* Before a load on the lane of a copy: its spot is empty.  Returns its CPU; -1: it is no copy. */
int		 bench_copy_ready(struct bench *, unsigned lane);

/* Its last order, whatever else is wished meanwhile. */
bool		 bench_template_obeys(struct bench *);

void		 bench_end(struct bench *);	/* of the runner, with all in its jail */

/* If it was stopped after a challenge. */
void		 bench_continue(struct bench *, unsigned lane);

#endif
