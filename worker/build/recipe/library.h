/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_LIBRARY_H
#define ASSAY_WORKER_BUILD_RECIPE_LIBRARY_H

#include "proto/wire/msg.h"

/*
 * Libraries that variants may be linked with: those that the administrator lists.  An object is
 * linked with the file itself, and finds it there when it is loaded.  The file's contents are part
 * of the object's hash.
 */
struct libraries;

struct library {
	const char	*path;		/* borrowed until the next call: the file, without links */
	const char	*folder;	/* likewise, where it is */
	struct hash	 hash;		/* of its contents */
};

/* As in proto/text/library_list.h; borrowed.  NULL: none. */
enum status	 libraries_new(struct libraries **, const char *list, struct fault *);
void		 libraries_free(struct libraries *);

/* ST_BAD_SPEC: it is not on the list, or cannot be read now. */
enum status	 libraries_find(struct libraries *, const char *name, struct library *,
		    struct fault *);

#endif
