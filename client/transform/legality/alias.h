/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_LEGALITY_ALIAS_H
#define ASSAY_CLIENT_TRANSFORM_LEGALITY_ALIAS_H

#include "client/transform/work/work.h"

/* Memory of a region that may overlap, one of it written; ST_BAD_SPEC with the remedy. */
enum status	 alias_check(const struct work *, const struct model *, struct fault *);

#endif
