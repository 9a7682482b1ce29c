/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_CLANG_INPROC_H
#define ASSAY_WORKER_BUILD_RECIPE_CLANG_INPROC_H

#include <stdint.h>

/*
 * What a builder (inproc.c) and its template of assay-clang say to each other: an order and its
 * end, one at a time, on a stream socket that the template has as descriptor 4.  Both programs come
 * from one build and run on one machine.
 */
enum { INPROC_FD = 4, INPROC_WORDS_BYTES = 4 << 20 };
#define INPROC_TEMPLATE	"--template"	/* the program's only argument then */

/* Descriptors that come with an order. */
enum inproc_fd {
	INPROC_WORDS,		/* words of the compiler, each with its NUL; the first is -cc1 */
	INPROC_OUTPUT,		/* gets what the compiler prints */
	INPROC_OBJECT,		/* gets the object */
	INPROC_FDS
};

struct inproc_order {
	uint64_t	memory_bytes;	/* limit of addresses; 0: none */
	uint64_t	file_bytes;	/* limit of a file's size */
	uint64_t	cpu_s;		/* limit of CPU time */
};

struct inproc_end {
	int32_t		status;		/* as of waitpid */
};

#endif
