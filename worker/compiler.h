/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_COMPILER_H
#define ASSAY_WORKER_COMPILER_H

#include <sys/types.h>
#include <time.h>

#include <jansson.h>

#include "proto/fault.h"

/*
 * Which compilers are installed here, and which exactly: the id of one changes with its path, its version and what it
 * resolves -march=native to, so that it can stand for all that in a cache key.
 */
struct compiler {
	char		 name[32];		/* "gcc" */
	char		 path[128];		/* "/usr/bin/gcc" */
	char		 version[160];		/* "gcc version 12.2.0 (Debian 12.2.0-14+deb12u1)" */
	char		 target[64];		/* "x86_64-linux-gnu" */
	char		 id[17];
	off_t		 file_bytes;		/* of the file as it was when asked: another one is asked again */
	struct timespec	 file_changed;
};

struct compilers;

enum status	 compilers_new(struct compilers **, int cpu, struct fault *);
void		 compilers_free(struct compilers *);

/* Borrowed until the next call.  ST_BAD_SPEC: it is not installed, or does not run; names those that do. */
enum status	 compilers_find(struct compilers *, const char *name, const struct compiler **, struct fault *);

json_t		*compilers_report(struct compilers *);	/* [ {name, path, version, target, id} ], NULL: no memory */
json_t		*compiler_report(const struct compiler *);	/* {name, version, target, id}; NULL compiler: all "" */

#endif
