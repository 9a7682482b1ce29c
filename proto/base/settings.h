/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_SETTINGS_H
#define ASSAY_PROTO_BASE_SETTINGS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/base/fault.h"

/*
 * Named settings, the same ones on the command line (--name value) and in a file (lines of name =
 * value, # begins a comment).  A fault names the setting, and the file and line where there is one.
 */
typedef enum status setting_fn(void *into, const char *value, struct fault *);

struct setting {
	const char	*name, *argument, *text;	/* these two: for the usage; argument NULL:
							 * it is yes or no */
	setting_fn	*set;		/* NULL: a decimal number */
	size_t		 at;		/* offset in the config of what is set */
	struct {
		size_t		bytes;		/* of its type: 4 or 8 */
		uint64_t	min, max;
	}		 number;
};

/* What a row says behind its text: how the setting is read, and where to. */
#define SETTING_OWN(set)		set, 0, { 0, 0, 0 }	/* `set` gets the config */
#define SETTING_AT(set, of, member)	set, offsetof(struct of, member), { 0, 0, 0 }
#define SETTING_YES(of, member)		SETTING_AT(setting_yes, of, member)
#define SETTING_NUMBER(of, member, min, max)					\
	NULL, offsetof(struct of, member),					\
	    { sizeof ((struct of *)NULL)->member, min, max }

struct settings {
	const struct setting	*table;
	size_t			 n;
};

enum status	 setting_yes(void *into, const char *value, struct fault *);	/* into: bool */
enum status	 setting_number(const char *value, int base, uint64_t min, uint64_t max,
		    uint64_t *out, struct fault *);

enum status	 settings_set(const struct settings *, void *config, const char *name,
		    const char *value, struct fault *);

/* Every line of a file.  A setting "config" is refused there: a file cannot name another file. */
enum status	 settings_read(const struct settings *, void *config, const char *path,
		    struct fault *);
void		 settings_print(const struct settings *, FILE *);

#endif
