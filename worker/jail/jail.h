/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_JAIL_JAIL_H
#define ASSAY_WORKER_JAIL_JAIL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * The interface of spawn.c and assay-jail: the descriptors a jail starts with and the records it
 * writes.  Both come from one build and run on one machine, so a record is a plain struct; a pipe
 * takes it whole.
 */
enum {
	JAIL_FD_STATUS	= 3,		/* write end; at most one record of each kind */
	JAIL_FD_KEEP	= 4,		/* passed on to the program with --keep-fd; with --result,
					 * where that goes */
	JAIL_FD_LIFE	= 5,		/* read end; EOF: the worker is gone */
	JAIL_FD_COPY	= 6,		/* executed in place of the program of --copy-of */
	JAIL_FD_N	= 7,
};

/* The working directory, as shown in a jail with a root of its own. */
#define JAIL_WORK_DIR	"/work"

/* A directory that a program may write, in memory; so many files at most. */
#define JAIL_SCRATCH_DIR	"/scratch"
enum { JAIL_SCRATCH_FILES = 64 };

/*
 * Limit of processes and threads: a compiler needs a handful, a routine as many more as the job
 * has.
 */
static inline unsigned
jail_process_limit(unsigned threads)
{
	return 64 + threads;
}

/*
 * The most that --result copies: more than any artifact may have, so that the worker sees that it
 * is too large.
 */
enum { JAIL_RESULT_BYTES = 32 << 20 };

/*
 * Folders that steps run in, one after the other: "0", "1", ….  Each one's result is handed out
 * behind its length, a uint64_t.
 */
enum { JAIL_FOLDER_BYTES = 12 };

static inline void
jail_folder(unsigned k, char name[JAIL_FOLDER_BYTES])
{
	(void)snprintf(name, JAIL_FOLDER_BYTES, "%u", k);
}

/* So much lower is a cell's limit on processes: it is met first, and the cell counts that. */
enum { JAIL_CELL_FEWER = 8 };

enum jail_record_kind { JAIL_SETUP_FAILED = 1, JAIL_ENDED = 2 };

struct jail_record {
	uint32_t	 kind;
	int32_t		 value;		/* setup failed: errno; ended: the program's wait status */
	char		 words[120];	/* setup failed: which step */
	struct rusage	 usage;		/* ended: of the program and the children it waited for */
};

#endif
