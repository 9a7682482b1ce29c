/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_WRITE_PRINT_H
#define ASSAY_CLIENT_TRANSFORM_WRITE_PRINT_H

#include "client/transform/tree/names.h"
#include "client/transform/tree/tree.h"

/*
 * Trees → C for people to read: tabs, a name for each end of a tile that is the smaller of two, and
 * a loop for the iterations that an unrolled one leaves.
 */
/* Nothing else in the routine has the name. */
typedef bool	 print_is_free_fn(void *arg, const char *name);
char	*print_nodes(struct arena *, struct names *, const struct node *block, unsigned depth,
	    print_is_free_fn *, void *arg);

#endif
