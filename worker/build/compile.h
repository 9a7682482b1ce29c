/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_COMPILE_H
#define ASSAY_WORKER_BUILD_COMPILE_H

#include "worker/spawn/spawn.h"

/* One run of a compiler, or of another program, in a build jail. */
struct compile {
	enum jail_phase	 phase;		/* JAIL_BUILD; JAIL_TIME: it may write no file */
	const char	*const *argv;	/* borrowed; an absolute path first, NULL-terminated */
	const char	*program;	/* borrowed: for messages; NULL: the compiler */
	const char	*dir;		/* borrowed: working directory */
	const char	*result;	/* borrowed: file to be made there; as in jail_order */
	int		 result_fd;	/* gets a copy of that file */
	int		 cpu;		/* -1: any */
	unsigned	 wall_ms;	/* limit */
	stop_fn		*stop;		/* NULL: never stops */
	void		*stop_arg;	/* borrowed */
};

struct compiled {
	/* ST_OK, _BUILD_FAILED, _BUILD_TIMEOUT, _BUILD_LIMIT, _CANCELLED or _INTERNAL */
	enum status	 status;
	char		*words;		/* owned: output, after the reason if stopped; NULL: none */
	double		 ms;		/* from start to end */
};

enum { COMPILE_WORDS_BYTES = 64 << 10 };	/* longer output is cut */

void	 compile_run(const struct compile *, struct compiled *);

#endif
