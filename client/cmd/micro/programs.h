/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_PROGRAMS_H
#define ASSAY_CLIENT_CMD_MICRO_PROGRAMS_H

#include <jansson.h>

#include "client/cmd/launch/launch.h"

/* The programs of a description, as assay-micro makes them. */
struct programs {
	json_t	*list;			/* owned; variants with meta */
	int64_t	 arrays;		/* the most that one takes */
	int64_t	 element_bytes;		/* of the largest number in memory; 0: none is there */
};

/*
 * `function`: its name in each.  `limit` 0: all.  `here`: for this host, whose processor must have
 * what they need.  *code: what assay-micro, which has reported its
 * error, ended with; the list is then to be left alone.
 */
enum status	 programs_make(struct programs *, const char *file, const char *function,
		    int64_t limit, int64_t seed, bool here, int *code, struct fault *);
void		 programs_release(struct programs *);

/* Arrays and their elements, where the options say nothing of them. */
void		 programs_describe(const struct programs *, struct launch *);

#endif
