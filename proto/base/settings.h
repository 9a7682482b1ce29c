/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_SETTINGS_H
#define ASSAY_PROTO_BASE_SETTINGS_H

#include <stddef.h>
#include <stdio.h>

#include "proto/base/fault.h"

/*
 * Named settings, the same ones on the command line (--name value) and in a file (lines of name =
 * value, # begins a comment).  A fault names the setting, and the file and line where there is one.
 */
typedef enum status setting_fn(void *config, const char *value, struct fault *);

struct setting {
	const char	*name, *argument, *text;	/* these two: for the usage; argument NULL:
							 * it is yes or no */
	setting_fn	*set;
};

struct settings {
	const struct setting	*table;
	size_t			 n;
};

enum status	 settings_set(const struct settings *, void *config, const char *name,
		    const char *value, struct fault *);

/* Every line of a file.  A setting "config" is refused there: a file cannot name another file. */
enum status	 settings_read(const struct settings *, void *config, const char *path,
		    struct fault *);
void		 settings_print(const struct settings *, FILE *);

#endif
