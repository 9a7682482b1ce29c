/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_TABLE_H
#define ASSAY_CLIENT_PRINT_TABLE_H

#include <stdio.h>

#include "proto/base/fault.h"

/*
 * Rows of cells in aligned columns: names to the left, numbers to the right, the last column of any
 * width.  A column with only empty cells is left out, with its heading.
 */
struct table;

enum { TABLE_MAX_COLUMNS = 16 };

struct table_column {
	const char	*heading;	/* NULL ends the list; borrowed for the table's life */
	bool		 right;		/* numbers */
};

enum status	 table_new(struct table **, const struct table_column *, struct fault *);
void		 table_free(struct table *);

/* A cell for each column, copied and cleaned (format_shown).  NULL: empty. */
enum status	 table_add(struct table *, const char *const *cells, struct fault *);
size_t		 table_rows(const struct table *);
size_t		 table_width(const struct table *);	/* of its lines */

/* `columns`: cut lines to this width; 0: do not cut.  With --markdown: a table of that, whole. */
void		 table_print(const struct table *, FILE *, size_t columns);

#endif
