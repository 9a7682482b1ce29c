/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_ROW_H
#define ASSAY_CLIENT_PRINT_ROW_H

#include <stdint.h>

#include <jansson.h>

#include "proto/base/status.h"

/*
 * What a line of a table needs of a result object.  Numbers that the result does not have are NaN.  A result from
 * another version of the daemon may lack anything.
 */
struct row {
	int64_t		 job;			/* 0: not said */
	enum status	 status;		/* ST_INTERNAL: a word that we do not know */
	char		*name, *sweep, *word;	/* owned, never NULL; word: the status */
	char		*point;			/* owned; "UNROLL=4" of its meta */
	char		*note;			/* owned; why it is not ok */
	double		 value_ns, min_ns, median_ns, cv, mflops, gbs;
};

bool		 row_read(struct row *, const json_t *);	/* false: out of memory, nothing to release */
void		 row_release(struct row *);

/* Of several lines the one that says most: the first with "error" in it, else the first.  Owned, NULL: no memory. */
char		*row_telling_line(const char *text);

#endif
