/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_TABLE_H
#define ASSAY_CLIENT_PRINT_TABLE_H

#include <stdio.h>

#include "proto/base/fault.h"

/*
 * Rows of cells in aligned columns: names to the left, numbers to the right, the last column as
 * long as it likes.  A column whose cells are all empty is left out, heading and all.
 */
struct table;

enum { TABLE_MAX_COLUMNS = 16 };

struct table_column {
	const char	*heading;	/* NULL ends the list; borrowed, outlives the table */
	bool		 right;		/* numbers */
};

enum status	 table_new(struct table **, const struct table_column *, struct fault *);
void		 table_free(struct table *);

/* As many cells as columns; copied and cleaned (format_clean).  NULL: an empty cell. */
enum status	 table_add(struct table *, const char *const *cells, struct fault *);
size_t		 table_rows(const struct table *);

/* `columns`: cut lines to that width; 0: never. */
void		 table_print(const struct table *, FILE *, size_t columns);

#endif
