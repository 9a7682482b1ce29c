/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_COMPILER_H
#define ASSAY_WORKER_BUILD_RECIPE_COMPILER_H

#include <sys/types.h>
#include <time.h>

#include "proto/base/fault.h"
#include "proto/wire/hello.h"

/* Clang's library in a process that stays: its name, and its program beside the worker's. */
#define INPROC_COMPILER	"clang-inproc"
#define INPROC_PROGRAM	"assay-clang"

/*
 * An installed compiler.  Its id stands for it in cache keys: a hash of the real file, its version
 * and what it resolves -march=native to. gcc and the gcc-12 behind that link have the same id.
 */
struct compiler {
	char		 name[32];		/* "gcc" */
	char		 path[512];		/* "/usr/bin/gcc" */
	char		 version[160];	/* "gcc version 12.2.0 (Debian 12.2.0-14+deb12u1)" */
	char		 target[64];		/* "x86_64-linux-gnu" */
	char		 id[17];
	/* The file when it was queried; if it differs now, it is queried again. */
	dev_t		 file_device;
	ino_t		 file_inode;
	off_t		 file_bytes;
	struct timespec	 file_changed;
};

struct compilers;

enum status	 compilers_new(struct compilers **, int cpu, struct fault *);
void		 compilers_free(struct compilers *);

/*
 * Borrowed until the next call.  ST_BAD_SPEC: not installed, or does not run; the fault lists the
 * working ones.
 */
enum status	 compilers_find(struct compilers *, const char *name, const struct compiler **,
		    struct fault *);

/* See builder_compilers. */
bool		 compilers_report(struct compilers *, struct shape_list *);

struct compiler_identity compiler_report(const struct compiler *);	/* NULL: empty strings */

#endif
