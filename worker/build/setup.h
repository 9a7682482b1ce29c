/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_SETUP_H
#define ASSAY_WORKER_BUILD_SETUP_H

#include "worker/build/recipe/compile.h"
#include "worker/build/recipe/recipe.h"

/*
 * Functions of a spec that fill operands.  A program of them is compiled and run in build jails.
 * Its bytes become data of the driver, so nothing of it is in a process where something is timed.
 */
struct setup {
	const struct spec	*spec;		/* borrowed */
	char			*main_text;	/* owned */
	struct source_file	 files[2];	/* borrow: main.c and what it includes */
	struct variant		 program;	/* borrows */
	struct recipe		 recipe;
};

/* Of a spec that has one.  Release it in any case. */
enum status	 setup_init(struct setup *, const struct spec *, const struct recipe_means *,
		    struct fault *);
void		 setup_release(struct setup *);

/*
 * *filled: the bytes of all such operands, in the order of the arguments; the caller frees them.
 * `where` has the jail's place and limits.  ST_BAD_SPEC: the reason is in *detail, as in build.h;
 * ST_CANCELLED; ST_INTERNAL.
 */
enum status	 setup_run(struct setup *, const struct scratch *, const struct compile *where,
		    void **filled, char **detail);

/* The text of fill.h, embedded in the worker; NUL-terminated. */
extern const char	fill_header[];

#endif
