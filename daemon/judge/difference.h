/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_DIFFERENCE_H
#define ASSAY_DAEMON_JUDGE_DIFFERENCE_H

#include <jansson.h>

/*
 * Two results that were timed one after the other: the ratio of their medians, and Welch's t-test (Whaley and Castaldo,
 * section 6: unequal variances unless alternated).  New reference; JSON null when one has fewer than two samples.
 */
json_t		*difference_json(const json_t *first, const json_t *second);

#endif
