/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_WRITE_WRITE_H
#define ASSAY_CLIENT_TRANSFORM_WRITE_WRITE_H

#include "client/transform/work/work.h"

/* The whole file: regions that steps changed are new, the rest is as it was written. */
const char	*write_source(struct work *);

#endif
