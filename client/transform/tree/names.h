/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_TREE_NAMES_H
#define ASSAY_CLIENT_TRANSFORM_TREE_NAMES_H

#include "client/arena/arena.h"

/* The identifiers that a source has taken. */
struct names;

struct names	*names_new(struct arena *, const char *source);
/* `wanted`, or that with a number; taken from now on. */
const char	*names_fresh(struct names *, const char *wanted);

#endif
