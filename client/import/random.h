/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_RANDOM_H
#define ASSAY_CLIENT_IMPORT_RANDOM_H

#include <stdint.h>

#include "client/import/foreign.h"
#include "proto/spec/prototype.h"

/*
 * The value of a scalar argument that is to be random: a number by chance, the same for each seed,
 * and a remark that has it.  From -1 to 1, or an integer from 1 to 100.  New reference.
 */
json_t		*random_scalar(struct foreign *, struct span name, enum ctype, uint64_t seed);

#endif
