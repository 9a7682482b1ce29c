/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_COMPILE_H
#define ASSAY_WORKER_BUILD_RECIPE_COMPILE_H

#include "worker/spawn/spawn.h"

/* One run of a compiler, or of another program, in a build jail. */
struct compile {
	enum jail_phase	 phase;		/* JAIL_BUILD; JAIL_TIME: it may write no file */
	const char	*const *argv;	/* borrowed; an absolute path first, NULL-terminated */
	const char	*steps;		/* borrowed; as in jail_order; NULL: one program */
	const char	*program;	/* borrowed: for messages; NULL: the compiler */
	const char	*dir;		/* borrowed: working directory */
	const char	*result;	/* borrowed: file to be made there; as in jail_order */
	int		 result_fd;	/* gets a copy of that file */
	unsigned	 folders;	/* as in jail_order; 0: none */
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

/* of one file, output included */
#define COMPILE_FILE_BYTES	((uint64_t)64 << 20)
/* of all processes of a build together, files in memory included */
uint64_t compile_memory_bytes(void);

void	 compile_run(const struct compile *, struct compiled *);

/*
 * What a compiler printed into a file in memory: COMPILE_WORDS_BYTES at most, without the paths of
 * `dir`.  NULL: nothing, or no memory.  The caller frees it.
 */
char	*compile_words(int fd, const char *dir);
/* Is it more than anyone would read? */
bool	 compile_is_flood(int fd);
/* Put a line of ours before the compiler's words. */
void	 compile_say_first(struct compiled *, const char *line);

#endif
