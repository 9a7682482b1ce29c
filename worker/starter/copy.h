/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STARTER_COPY_H
#define ASSAY_WORKER_STARTER_COPY_H

#include <stdbool.h>
#include <sys/resource.h>

#include "worker/starter/files.h"

/* What a copy executes. */
struct start {
	struct program_shm	*shm;		/* borrowed */
	const struct files	*files;		/* borrowed */
	char			*const *argv, *const *env;	/* borrowed */
	int			 what;		/* a descriptor of files */
	bool			 traced;	/* by the starter */
	uint32_t		 copies, copy;	/* that run at once; which one it is */
};

/*
 * In a fork of the starter: become the program.  Everything that takes time comes before the copy
 * is ready; then it waits for the others, notes the time, and executes.
 */
_Noreturn void	 copy_become(const struct start *);

/* What this process has used; or, in a starter, one that it has waited for. */
void		 copy_note_use(struct program_run *, const struct rusage *);

/* Canary and pace of the CPU that this process is on, warm. */
void		 copy_look_at_core(uint32_t *canary, uint32_t *pace);

/* Bind this process to it; -1: leave it where it is. */
int		 copy_bind(int cpu);

#endif
