/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_LEGALITY_LEGALITY_H
#define ASSAY_CLIENT_TRANSFORM_LEGALITY_LEGALITY_H

#include "client/transform/work/work.h"

/* Equal dataflow of all changed regions, or a refusal; with --assume a note in `assumed`. */
enum status	 legality_check(struct work *, struct fault *);

#endif
