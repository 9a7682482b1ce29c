/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_RANDOM_H
#define ASSAY_CLIENT_IMPORT_RANDOM_H

#include <stdint.h>

#include "client/import/foreign.h"
#include "proto/text/prototype.h"

/*
 * A scalar argument that the driver draws, the same for each seed, and a remark: from -1 to 1, or
 * an integer from 1 to 100.  New reference.
 */
json_t		*random_scalar(struct foreign *, struct span name, enum ctype, uint64_t seed);

#endif
