/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_FIELD_H
#define ASSAY_CLIENT_TUNE_FIELD_H

#include <jansson.h>

#include "client/search/strategy/grid.h"
#include "client/tune/made.h"
#include "proto/base/fault.h"
#include "proto/sweep/points.h"

/*
 * What a search is about: a sweep's document as a grid of variants, each of which is timed in every
 * cell.  Dimensions of the variant (macros, flags, source, a whole variant) are those of the grid.
 * Dimensions of the spec (sizes, context, offsets) make the cells: their values are given, not
 * searched.
 */
enum { FIELD_MAX_CELLS = 64 };

struct field {
	json_t		*sweep;			/* owned */
	struct points	*points;			/* owned */
	struct grid	 grid;			/* its admits is this field's `where` */
	size_t		 dim[GRID_MAX_DIMENSIONS];	/* in the space, of each of the grid's */
	struct made	 made;			/* in place of the dimension "variant" */
	size_t		 made_at;		/* their first dimension in the grid */
	size_t		 cell_dim[GRID_MAX_DIMENSIONS];	/* the others */
	size_t		 ncell_dims, ncells;
	uint64_t	 known[GRID_MAX_DIMENSIONS + 1];	/* bits of the first k */
	bool		 failed;		/* a condition could not be evaluated */
	struct fault	 trouble;		/* which one, and where */
};

/* The sweep is taken, in any case.  A list of variants is a dimension "variant". */
enum status	 field_open(struct field **, json_t *sweep, struct fault *);
void		 field_free(struct field *);			/* NULL is fine */

/* Whether `where` admits the point in this cell. */
bool		 field_has(struct field *, const struct point *, size_t cell);
enum status	 field_job(struct field *, const struct point *, size_t cell, json_t **job,
		    struct fault *);

/* A dimension of the grid: its name, and its value with that number.  Borrowed. */
const char	*field_name(const struct field *, size_t dimension);
const json_t	*field_value(const struct field *, size_t dimension, size_t at);

/* { NAME: value } of a point, of a cell.  New references.  Whole variants are numbers. */
json_t		*field_values(const struct field *, const struct point *);
json_t		*field_cell_values(const struct field *, size_t cell);
/* The point with these values; false: there is none. */
bool		 field_find(const struct field *, const json_t *values, struct point *);

/* "UNROLL=4 flags=-O3,-mavx2"; at most `bytes`.  Returns the buffer. */
char		*field_words(const struct field *, const struct point *, char *buf, size_t bytes);
char		*field_cell_words(const struct field *, size_t cell, char *buf, size_t bytes);

#endif
