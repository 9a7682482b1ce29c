/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_JAIL_JAIL_STEPS_H
#define ASSAY_WORKER_JAIL_JAIL_STEPS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Several programs, one after the other, in place of a compiler's driver: the program of the jail
 * starts them when it has given up its rights.  `counts` is as in jail_order's steps
 * (worker/spawn/spawn.h).
 */

struct jail_steps {
	const char	*counts;	/* borrowed, as all of it */
	char *const	*words, *const *env;
	uint64_t	 memory_bytes;	/* address space of each program; 0: no limit */
	unsigned	 folders;	/* as in jail_order; 0: the working directory alone */
	const char	*copy_of;	/* NULL, or the program that copy_fd is executed for */
	int		 copy_fd;
};

/* Do the counts make sense, and are there that many words? */
bool	 jail_steps_fit(const char *counts, char *const *words);

/*
 * Ends with the code of the first program that failed, or 0.  A signal is reported as by gcc.  What
 * fails in one folder ends all.
 */
_Noreturn void	 jail_steps_run(const struct jail_steps *);

#endif
