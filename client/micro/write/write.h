/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_WRITE_WRITE_H
#define ASSAY_CLIENT_MICRO_WRITE_WRITE_H

#include "client/micro/model/micro.h"

/*
 * A program after all other passes → its text.  Each is one whole function that follows the
 * calling convention: int f(int n, void *a1, …).
 */
enum status	 write_assembly(struct program *, struct fault *);
/* The same instructions in one asm statement of C. */
enum status	 write_c(struct program *, struct fault *);
/* C with loops that OpenMP shares among threads, for a kernel with <loop_info>. */
enum status	 write_openmp(struct program *, struct fault *);

/* The program's name: the description's, its number, what it has chosen. */
const char	*write_name(const struct program *);

#endif
