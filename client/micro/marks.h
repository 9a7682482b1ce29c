/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MARKS_H
#define ASSAY_CLIENT_MICRO_MARKS_H

#include "client/micro/model/micro.h"

/*
 * A program's text for the user.  Line marks that only the assembler is to see are left out: owned
 * by the caller, as without them.  NULL: out of memory.
 */
char	*marks_without(const struct micro *, const char *text);

#endif
