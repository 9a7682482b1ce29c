/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_COLUMN_H
#define ASSAY_DAEMON_VIEW_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A JSON array as text, which grows by entries.  Ten thousand numbers are written in the time that
 * as many JSON values would take to be made.
 */
struct column {
	char	*text;		/* owned; NULL: it has no entry yet */
	size_t	 used, room;
	bool	 has_failed;	/* for memory: then entries are missing */
};

void		 column_release(struct column *);
void		 column_int(struct column *, int64_t);
/* Rounded to so many digits, or null if it is not finite. */
void		 column_number(struct column *, double, int digits);
void		 column_null(struct column *);
void		 column_string(struct column *, const char *);	/* UTF-8 */
/* The whole array; the column's.  NULL: an entry is missing. */
const char	*column_array(struct column *);

#endif
