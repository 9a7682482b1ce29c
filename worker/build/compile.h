/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_COMPILE_H
#define ASSAY_WORKER_BUILD_COMPILE_H

#include "worker/spawn/spawn.h"

/* Run one compiler in a build jail and say how that ended. */
struct compile {
	enum jail_phase	 phase;			/* JAIL_BUILD, or JAIL_TIME when it shall write
						 * nothing */
	const char	*const *argv;		/* absolute path of the compiler first;
						 * NULL-terminated */
	const char	*dir;			/* its working directory */
	const char	*result;		/* what it shall make there, and where that goes, as
						 * in jail_order */
	int		 result_fd;
	int		 cpu;			/* -1: any */
	unsigned	 wall_ms;
	stop_fn		*stop;			/* may be NULL */
	void		*stop_arg;
};

struct compiled {
	enum status	 status;	/* ok, build_failed, build_timeout, build_limit, cancelled,
					 * internal */
	char		*words;		/* what it printed, and why it was stopped; owned, NULL:
					 * nothing */
	double		 ms;		/* from start to end */
};

enum { COMPILE_WORDS_BYTES = 64 << 10 };

void	 compile_run(const struct compile *, struct compiled *);

#endif
