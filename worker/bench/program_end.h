/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROGRAM_END_H
#define ASSAY_WORKER_BENCH_PROGRAM_END_H

#include "proto/base/fault.h"
#include "proto/spec/spec.h"
#include "proto/wire/program_shm.h"

/*
 * What the end of a program's run means for its job.  Pure: from the starter's record and what the
 * program printed, which is the program's own text.
 */
struct program_said {
	const char	*output;		/* standard output, whole */
	size_t		 output_bytes;
	const char	*last;			/* the end of standard error */
	size_t		 last_bytes;
};

/*
 * ST_OK: it ran to its end and exited with 0.  Else the outcome; `why` has the reason with the
 * program's last words.  oom: the limit on the memory of all together was met meanwhile.  refused:
 * the number of the system call that ended it, as far as it is known; else -1.
 */
enum status	 program_end(const struct program *, const struct program_run *,
		    const struct program_said *, bool oom, int refused, struct fault *why);

/* It ended because its filter refuses a system call. */
bool		 program_is_refused(const struct program_run *);

/* ST_WRONG_ANSWER: it did not print what it must. */
enum status	 program_check(const struct program *, const struct program_said *,
		    struct fault *why);

#endif
