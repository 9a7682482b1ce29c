/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_PLACEMENT_H
#define ASSAY_DAEMON_JUDGE_PLACEMENT_H

#include "proto/wire/result.h"

/*
 * What several layouts came to: how far apart their medians lie, in all and by each factor, and by
 * how much two processes with the same layout differ.  Of a fixed layout, where it was.
 *
 * gated: the samples were taken in quiet; then times are normalised if each has a reading.
 * out->several.each is to be freed; out borrows from the report.  ST_NOMEM.
 */
enum status	 placement_judge(const struct layout_report *, bool gated,
		    struct result_layout *out);

#endif
