/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_TEXT_LIBRARY_LIST_H
#define ASSAY_PROTO_TEXT_LIBRARY_LIST_H

#include <stdbool.h>

#include "proto/base/name.h"

/*
 * The libraries that an administrator lets variants link with, as one text that a daemon hands to
 * its builders: "openblas=/usr/lib/libopenblas.so fftw3=/usr/lib/libfftw3.so".
 */
enum { LIBRARY_PATH_BYTES = 512 };

struct listed_library {
	char	name[NAME_MAX_BYTES + 1];
	char	path[LIBRARY_PATH_BYTES];	/* a file, without blanks */
};

/* What stands first, and where to go on; NULL: nothing does. */
const char	*library_list_next(const char *list, struct listed_library *);
bool		 library_list_find(const char *list, const char *name, struct listed_library *);

/*
 * Jails show few directories, where their dynamic linker finds a library.  ST_BAD_SPEC: the path is
 * in none of them.
 */
enum status	 library_check_place(const char *path, struct fault *);

#endif
