/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_CELLS_H
#define ASSAY_CLIENT_PRINT_RESULTS_CELLS_H

#include "client/print/results/ranking.h"
#include "proto/base/fault.h"

/*
 * Results by cells: those of a cell are under one spec, so their times can be compared.  Cells
 * differ in some params, the context or other members of the spec, which are their keys.
 */
struct cell {
	const struct row	**rows;		/* borrowed from struct cells; ranked, n */
	size_t			  n, ok;	/* ok: the first rows, which have a time */
	const struct row	 *first;	/* borrowed; by its job: speed-ups are over it */
	struct ranking		  ranking;	/* of the rows */
};

struct cells {
	struct cell		*at;		/* owned; in the order of their first jobs */
	size_t			 n;
	const struct row	**rows;		/* owned; cell after cell */
	char			**variants;	/* owned, as each text: names without keys */
	size_t			 nvariants;
	const char		**keys;		/* owned; the texts are borrowed from the rows */
	size_t			 nkeys;
};

/* `rows`, n in the order of their jobs, stay borrowed.  On failure there is nothing to release. */
enum status	 cells_init(struct cells *, const struct row *const *rows, size_t n,
		    struct fault *);
void		 cells_release(struct cells *);		/* a zeroed one is fine */

/* The row's name without the values of its cell; owned.  NULL: no memory. */
char		*cells_variant(const struct row *);
/* Rows that cannot be told apart from the cell's first, or (noise, a share) differ by less. */
size_t		 cells_ties(const struct cell *, double noise);

/*
 * {"cells": […], "axes": {…}}: which cells and variants there are, and who wins where; a new
 * reference.  NULL: no memory.
 */
json_t		*cells_json(const struct cells *, double noise);

#endif
