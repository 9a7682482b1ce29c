/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_FIRST_H
#define ASSAY_CLIENT_TUNE_FIRST_H

#include "client/tune/field.h"

/*
 * A first point from what the host is.  `first` of a file's `tune` says what a dimension stands
 * for, as an expression over the spec's params and facts about the host:
 *
 *	"tune": { "first": { "NB": "pow(L1_BYTES / 24, 0.5)" } }
 *
 * The nearest value of the dimension is taken; dimensions without an expression have their middle
 * value if they are ordered, else their first.  Facts: L1_BYTES, L2_BYTES, L3_BYTES, LINE_BYTES,
 * L1_WAYS, L2_WAYS, L3_WAYS, CPUS.
 */

/* `host`: the reply of host.get.  False in *found: the space has no point near. */
enum status	 first_point(const struct field *, const json_t *first, const json_t *host,
		    struct point *, bool *found, struct fault *);

#endif
