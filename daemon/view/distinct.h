/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_DISTINCT_H
#define ASSAY_DAEMON_VIEW_DISTINCT_H

#include <jansson.h>

#include "daemon/view/column.h"
#include "proto/base/status.h"

/* A column of values by their number: each distinct one is kept once. */
struct distinct {
	json_t		*values;	/* owned; array */
	json_t		*number;	/* owned; the place of each value, by its text */
	char		*last;		/* owned; the text that came last; NULL: none */
	json_int_t	 last_at;
	struct column	 at;		/* for each row, a place; null: none */
	size_t		 n;		/* its entries */
};

bool		distinct_init(struct distinct *);		/* false: no memory */
void		distinct_release(struct distinct *);
enum status	distinct_add(struct distinct *, const json_t *value);		/* ST_NOMEM */
/* The same for a value that is JSON text; ST_NOMEM if it is none. */
enum status	distinct_add_text(struct distinct *, const char *value);
/* The same value again as came last; there was one. */
void		distinct_again(struct distinct *);
/* Rows that have no value, up to row n. */
void		distinct_skip(struct distinct *, size_t n);

#endif
