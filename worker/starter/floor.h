/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STARTER_FLOOR_H
#define ASSAY_WORKER_STARTER_FLOOR_H

#include <stddef.h>

/*
 * The shortest program there is: static, one page, and its one call is to exit with 0.  What a run
 * of it takes is what starting and ending any program takes.
 */
extern const unsigned char	*const floor_program;
extern const size_t	floor_bytes;

#endif
