/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_PRINT_H
#define ASSAY_CLIENT_TRANSFORM_PRINT_H

#include "client/transform/tree.h"

/*
 * Trees → C for people to read: tabs, a name for each end of a tile that is the smaller of two, and
 * a loop for the iterations that an unrolled one leaves.
 */
struct names;			/* identifiers that are taken */

struct names	*names_new(struct arena *, const char *source);
/* `wanted`, or that with a number; taken from now on. */
const char	*names_fresh(struct names *, const char *wanted);

char		*print_nodes(struct arena *, struct names *, struct node *const *, size_t n,
		    unsigned depth);
char		*print_term(struct arena *, const struct term *);

#endif
