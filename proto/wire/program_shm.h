/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_PROGRAM_SHM_H
#define ASSAY_PROTO_WIRE_PROGRAM_SHM_H

#include <stdint.h>

#include "proto/wire/runner_shm.h"

/*
 * The memory that a supervisor and an assay-starter share; worker/starter/README.md has the
 * protocol.  The supervisor makes it (a sealed memfd), the starter finds it as descriptor
 * RUNNER_SHM_FD.  No program that is started ever has it: an exec leaves descriptor and mapping
 * behind.  A change of any member bumps PROGRAM_VERSION.
 */
enum {
	PROGRAM_MAGIC		= 0x474f5250,	/* "PROG" */
	PROGRAM_VERSION		= 2,
	PROGRAM_WORDS_MOST	= 257,		/* of the command line, its name first */
	PROGRAM_LAST_BYTES	= 4096,		/* of standard error that are handed out */
};

enum program_command {
	PROGRAM_READY,		/* no order: the reply to set-up is that to order 0 */
	PROGRAM_RUN,		/* the program, in all copies */
	PROGRAM_FLOOR,		/* a program that does nothing, in their place */
	PROGRAM_TRACE,		/* the program once more, in one copy, until a call is refused */
	PROGRAM_QUIT,
	PROGRAM_NCOMMANDS
};

enum program_reply {
	PROGRAM_DONE,		/* all copies have ended; see each */
	PROGRAM_NOT_SET_UP,	/* words: a file or the memory for it could not be had */
	PROGRAM_NO_FORK,	/* words */
	PROGRAM_BAD_ORDER,
	PROGRAM_NREPLIES
};

/* Written by the supervisor before the starter starts. */
struct program_setup {
	uint32_t	 copies;
	int32_t		 cpu[RUNNER_MOST_COPIES];	/* of each copy; -1: anywhere */
	uint64_t	 cpus[RUNNER_CPUS / 64];	/* of the slot: for a program with
							 * threads; the starter keeps off */
	uint32_t	 threads;	/* that the program may have */
	uint32_t	 may_fork, filtered;
	char		 scratch[RUNNER_DIR_BYTES];	/* where it may have files; "": nowhere */
	uint64_t	 memory_bytes;	/* address space of each process; 0: no limit */
	uint64_t	 output_bytes;	/* that it may print, to each of the two */
	uint32_t	 words;		/* of the command line */
	uint64_t	 words_at, input_at, input_bytes;	/* in the whole; UINT64_MAX bytes:
								 * it has no standard input */
	uint64_t	 output_at, output_step;	/* of the first copy; to the next */
	uint64_t	 last_at;	/* PROGRAM_LAST_BYTES of each copy */
};

/* One run of a copy.  Times are CLOCK_MONOTONIC. */
struct program_run {
	int32_t		 status;	/* as waitpid gave it */
	int32_t		 error;		/* errno of its exec, or of a step before; 0: it ran */
	char		 step[24];	/* that failed */
	uint64_t	 ready_ns;	/* it was ready to begin */
	uint64_t	 began_ns;	/* all were; the exec follows at once */
	uint64_t	 ended_ns;	/* the starter had its end */
	/* of it and of what it waited for, since it was ready; before that, what it had then */
	uint64_t	 cpu_ns;
	uint64_t	 max_rss_bytes;
	uint64_t	 faults, switches;	/* page faults, involuntary switches */
	uint32_t	 canary_before, canary_after, pace_before, pace_after;
	uint64_t	 output_bytes;	/* that it printed; no more than the limit */
	uint64_t	 last_bytes;	/* of standard error */
};

struct program_shm {
	uint32_t		 magic, version;
	uint64_t		 bytes;		/* of the whole */
	struct program_setup	 setup;

	struct runner_desk	 desk;
	uint32_t		 command, reply;	/* enum program_reply */
	uint32_t		 rest_pace;	/* with the reply to set-up: of the first copy's
						 * CPU, in ticks */
	uint32_t		 left;		/* processes alive when all copies had ended */
	uint32_t		 arrived, failed;	/* copies: at the barrier; before it */
	int32_t			 refused;	/* PROGRAM_TRACE: the call's number; -1: none was */
	struct program_run	 run[RUNNER_MOST_COPIES];
	char			 words[256];
};

#endif
