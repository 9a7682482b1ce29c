/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DRIVER_DIRECTORY_H
#define ASSAY_CLIENT_DRIVER_DIRECTORY_H

#include <stddef.h>

#include "proto/base/fault.h"

/* A new directory, or an empty one, that files are written into.  No file is ever overwritten. */
struct directory {
	const char	*path;		/* borrowed */
	int		 fd;		/* owned */
};

enum status	 directory_open(struct directory *, const char *path, struct fault *);
/* `name` may have folders. */
enum status	 directory_put(const struct directory *, const char *name, const void *bytes,
		    size_t n, struct fault *);
void		 directory_close(struct directory *);
#endif
