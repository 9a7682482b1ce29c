/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_COLUMNS_H
#define ASSAY_DAEMON_VIEW_COLUMNS_H

#include <event2/buffer.h>
#include <jansson.h>

#include "daemon/store/store_points.h"

/*
 * Points as columns: what the rows have in common is written once, so that ten thousand of them
 * cross a network in some hundred kilobytes.  Rows are added in the order of their cursors.
 */
struct columns;

struct columns	*columns_new(void);			/* NULL: out of memory */
void		 columns_free(struct columns *);		/* NULL is fine */
/* arg: a struct columns; fits point_row_fn.  ST_NOMEM. */
enum status	 columns_add(void *arg, const struct point_row *);
size_t		 columns_count(const struct columns *);
int64_t		 columns_last(const struct columns *);	/* cursor of the last row; 0: none */
/*
 * Appends the columns as members of an object, as PROTOCOL.md has them for sweep.points, without
 * its braces.  Cells are read from the store.  ST_NOMEM.
 */
enum status	 columns_put(struct columns *, struct store *, struct evbuffer *);
/* What tells the cells of a sweep apart: {params, context} of a spec's row; new. */
json_t		*columns_cell(struct store *, int64_t spec_id);

#endif
