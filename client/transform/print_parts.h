/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_PRINT_PARTS_H
#define ASSAY_CLIENT_TRANSFORM_PRINT_PARTS_H

#include <stdio.h>

#include "client/transform/term.h"

/* Between print.c and print_term.c: text that grows in memory, and the way into an arena. */
FILE	*print_open(char **text, size_t *bytes);
char	*print_close(struct arena *, FILE *, char **text, size_t *bytes);
void	 print_put_term(FILE *, const struct term *);

#endif
