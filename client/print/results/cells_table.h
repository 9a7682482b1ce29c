/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_CELLS_TABLE_H
#define ASSAY_CLIENT_PRINT_RESULTS_CELLS_TABLE_H

#include <stdio.h>

#include "client/print/results/cells.h"

/*
 * One line a cell, one column a variant, and the fastest:
 *
 *	N     context       dot  dot_unroll  fastest     speed-up
 *	1000  cold     1.234 us    1.102 us  dot_unroll     1.12x
 *
 * False: it would not fit, or a variant has two results in a cell; nothing is printed.  `columns`:
 * of the terminal; 0: there is none.
 */
bool		 cells_print_matrix(const struct cells *, FILE *, size_t columns, double noise);

/* One line a cell, without the variants' times. */
void		 cells_print_winners(const struct cells *, FILE *, size_t columns, double noise);

/* Sentences: who is fastest in how many cells, what is not ok, and what noise means. */
void		 cells_print_words(const struct cells *, FILE *, size_t columns, double noise);

#endif
