/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_ENTRY_H
#define ASSAY_CLIENT_PRINT_RESULTS_ENTRY_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Labelled lines of a report: a label, and behind it words that are wrapped below themselves.
 *
 *	  samples     31 of 1 call each, on CPU 1,
 *	              at real-time priority
 */
struct page {
	FILE		*to;		/* borrowed */
	size_t		 columns;	/* of its lines */
	unsigned	 indent;	/* columns in front of a label */
	unsigned	 label;		/* columns of a label, the gap behind it included */
};

enum { ENTRY_BYTES = 1024, PAGE_COLUMNS = 100 };	/* columns: at most */

/* As wide as the terminal (0: there is none), but no wider than PAGE_COLUMNS. */
void	 page_init(struct page *, FILE *, size_t terminal_columns, unsigned indent, unsigned label);

/* Built part by part.  An entry without a part prints nothing. */
struct entry {
	const struct page	*page;		/* borrowed */
	const char		*label;		/* borrowed */
	char			 text[ENTRY_BYTES];
	size_t			 used;
};

void	 entry_begin(struct entry *, const struct page *, const char *label);
/*
 * Add a part, behind a semicolon or a comma unless it is the first.  Text beyond the room is cut.
 */
void	 entry_clause(struct entry *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void	 entry_add(struct entry *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same, with nothing in front. */
void	 entry_append(struct entry *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void	 entry_end(struct entry *);

/* All three at once. */
void	 entry_put(const struct page *, const char *label, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));

#endif
