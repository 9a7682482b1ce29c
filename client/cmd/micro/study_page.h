/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_STUDY_PAGE_H
#define ASSAY_CLIENT_CMD_MICRO_STUDY_PAGE_H

#include "client/cmd/launch/rows.h"
#include "client/cmd/micro/levels.h"

/*
 * A page with the drawings of a launch: the least time by unroll factor and level of the caches
 * (MicroTools, Figures 11 and 12), times over sizes (Figure 3), over alignments (Figures 4, 15 and
 * 16), over the core's clock (Figure 13), of each core or over numbers of cores (Figure 14), and of
 * a routine beside its twin (Figure 5); those for which there are rows.  `title`: the description.
 */
enum status	 study_page(const char *path, const char *title, const struct launch_rows *,
		    const struct launch *, const struct levels *, struct fault *);

#endif
