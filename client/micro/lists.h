/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_LISTS_H
#define ASSAY_CLIENT_MICRO_LISTS_H

#include <stdio.h>

#include "client/micro/model/micro.h"

/* What assay-micro prints of itself: its passes, its nodes, its help. */
typedef void	 lists_fn(const struct micro *, FILE *);

lists_fn	 lists_passes, lists_nodes, lists_help;
/* Of a description that is prepared: among how many each pass chooses. */
lists_fn	 lists_choices;

#endif
