/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STARTER_FILES_H
#define ASSAY_WORKER_STARTER_FILES_H

#include "proto/wire/program_shm.h"

/*
 * Files in memory: the programs that are executed, which nothing can change any more, and what each
 * copy reads and prints.  Descriptors that an exec closes.
 */
struct files {
	int	 program, floor;
	struct {
		int	 in, out, err;
	} copy[RUNNER_MOST_COPIES];
};

/* NULL, or the step that failed, with errno. */
const char	*files_make(struct files *, const struct program_shm *);

/* Before a run: nothing has been printed, and the input begins anew. */
void		 files_rewind(struct files *, uint32_t copies);

/* After it: what this copy printed goes to the shared memory. */
void		 files_hand_out(const struct files *, struct program_shm *, uint32_t copy);

#endif
