/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_INCLUDES_H
#define ASSAY_CLIENT_IMPORT_INCLUDES_H

#include "client/import/foreign.h"

/*
 * A part of a text without the lines that include a file in quotes: each is a remark.  Types of
 * f2c.h stand in place of it, once; *f2c says whether they do.  It is put at `to`, which has room
 * for INCLUDES_MORE_BYTES more than the part.  Returns the new end.
 */
enum { INCLUDES_MORE_BYTES = 512 };
char		*includes_left_out(struct foreign *, struct span part, char *to, bool *f2c);

/* A type of f2c.h → that of C; NULL: it is none. */
const char	*includes_f2c_type(struct span name);

#endif
