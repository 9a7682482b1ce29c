/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_TREE_TEXT_H
#define ASSAY_CLIENT_TRANSFORM_TREE_TEXT_H

#include <stdio.h>

#include "client/transform/tree/term.h"

/* Terms → C.  Text grows in memory and ends in an arena. */
FILE	*text_open(char **text, size_t *bytes);
char	*text_close(struct arena *, FILE *, char **text, size_t *bytes);
void	 text_put(FILE *, const struct term *);
char	*text_of(struct arena *, const struct term *);

#endif
