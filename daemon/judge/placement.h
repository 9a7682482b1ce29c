/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_PLACEMENT_H
#define ASSAY_DAEMON_JUDGE_PLACEMENT_H

#include "proto/wire/result.h"

/*
 * The spread over several layouts: of their medians, in all and by each factor, and between two
 * processes with one layout.  For a fixed layout, its place.
 *
 * gated: the samples were gated; times are then normalised if each has a reading. out->several.each
 * must be freed; out borrows from the report.  ST_NOMEM.
 */
enum status	 placement_judge(const struct layout_report *, bool gated,
		    struct result_layout *out);

#endif
