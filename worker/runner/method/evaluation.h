/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_EVALUATION_H
#define ASSAY_WORKER_RUNNER_METHOD_EVALUATION_H

#include "proto/wire/runner_shm.h"

#pragma GCC visibility push(hidden)

/*
 * An evaluation library of the user's, beside the variant in its process (MicroTools, section 4.2).
 * Its functions are MicroLauncher's:
 *
 *	void	*evaluationInit(void);
 *	double	 evaluationStart(void *), evaluationStop(void *);
 *	int	 evaluationClose(void *);		0: all went well
 *	const char *evaluationName(void), *evaluationUnit(void);	may be missing
 *
 * They run with the rights of the variant.  Init alone may still open files to read.  No process
 * whose times count has such a library.
 */
struct rt_evaluation {
	double		 (*start)(void *);	/* NULL: there is no library */
	double		 (*stop)(void *);
	int		 (*close)(void *);
	void		*state;			/* of Init; the library's */
	double		 begun;			/* what Start of this region returned */
};

/* Load it from `path`, and begin.  0: the words of the lane say why not. */
int		 rt_evaluation_load(struct rt_evaluation *, const char *path, struct runner_lane *);
/* The last one of its functions.  0: the words of the lane say what it said. */
int		 rt_evaluation_close(struct rt_evaluation *, struct runner_lane *);

static inline void
rt_evaluation_start(struct rt_evaluation *e)
{
	if (e->start != NULL)
		e->begun = e->start(e->state);
}

/* What it says of the region since. */
static inline double
rt_evaluation_stop(struct rt_evaluation *e)
{
	return e->start != NULL ? e->stop(e->state) - e->begun : 0;
}

#pragma GCC visibility pop
#endif
