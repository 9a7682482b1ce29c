/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROC_FILTERS_H
#define ASSAY_WORKER_BENCH_PROC_FILTERS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A child's filters of system calls, counted from outside: it has those of its parent, the
 * template, and its own two (worker/runner/filter.h).  With a filter more or less, it is not known
 * which calls it can make.  `proc`: "/proc".
 */

/* Does this kernel report the number of a process's filters? */
bool		 filters_are_counted(const char *proc);

/* The template's, which never change: read with its first child.  Zeroed: not read. */
struct filters_known {
	bool	 is_known, are_counted;
	int	 parent, filters;
};

/*
 * Words for a person, if the child's filters are not as they should be.  NULL: they are, or they
 * are not counted, or it has ended.  pid 0: it cannot be found.
 */
const char	*filters_fault(const char *proc, pid_t, struct filters_known *);

#endif
