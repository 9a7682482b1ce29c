/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROGRAM_BENCH_H
#define ASSAY_WORKER_BENCH_PROGRAM_BENCH_H

#include "proto/wire/program_shm.h"
#include "worker/bench/bench.h"
#include "worker/bench/program_end.h"

/*
 * The supervisor's end of one assay-starter, for one job: starts it in a timing jail with the
 * program, has it run, and turns every failure into an outcome.
 */
struct program_bench;

struct program_config {
	const struct slot	*slot;		/* borrowed for the bench's life */
	const char		*path;		/* of the program */
	const char		*name;		/* the first word of its command line */
	const struct program	*program;	/* borrowed likewise */
	unsigned		 threads, copies;	/* 1 at least */
	enum jail_profile	 profile;
	uint64_t		 setup_limit_ns;
};

enum status	 program_bench_new(struct program_bench **, const struct program_config *,
		    struct fault *);
void		 program_bench_free(struct program_bench *);	/* the starter and all it started
								 * are gone; NULL is fine */

/* Is each copy alone on a CPU, or with its threads on those of the slot? */
bool		 program_bench_is_pinned(const struct program_bench *);

/* Of the first copy's CPU, in ticks of the canary's clock; 0: not known. */
uint32_t	 program_bench_rest_pace(const struct program_bench *);

/*
 * One run of all copies, or of as many empty programs.  Each has run to its end, exited with 0 and
 * printed what it must.  Not ok: the reply has the words; after ST_RUN_TIMEOUT, ST_CANCELLED or
 * ST_INTERNAL the bench is of no more use.
 */
enum status	 program_bench_run(struct program_bench *, bool floor, uint64_t deadline_ns,
		    struct bench_reply *);

/* Of the last run that was ok. */
const struct program_run *program_bench_of(const struct program_bench *, unsigned copy);

#endif
