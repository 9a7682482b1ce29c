/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PASS_COPIES_H
#define ASSAY_CLIENT_MICRO_PASS_COPIES_H

#include "client/micro/model/micro.h"

/*
 * Copies of an instruction share what is chosen once, and divide what each chooses for itself.
 * `part` of `parts`, in their order.
 */
struct choice	 choice_part(struct choice, uint64_t part, uint64_t parts);
/* A statement's own copy, with its part of all choices in and below it. */
struct statement statement_part(struct program *, const struct statement *, uint64_t part,
		    uint64_t parts);

#endif
