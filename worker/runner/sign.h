/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SIGN_H
#define ASSAY_WORKER_RUNNER_SIGN_H

#include <fcntl.h>

#include "proto/wire/runner_shm.h"

/*
 * The supervisor knows our pid by it, in its own terms, and can make us real-time.  length: not 0.
 */
static inline void
rt_sign(uint32_t number, uint32_t length)
{
	struct flock	lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
	    .l_start = RUNNER_SIGNS_AT(number), .l_len = length };

	fcntl(RUNNER_SHM_FD, F_SETLK, &lock);
}

#endif
