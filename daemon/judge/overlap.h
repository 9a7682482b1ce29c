/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_OVERLAP_H
#define ASSAY_DAEMON_JUDGE_OVERLAP_H

#include <jansson.h>

/*
 * Two stored results, of whatever version: { ratio: of their medians, overlap: whether the 95 %
 * intervals of what ranks them overlap, null where one has none }. New reference; JSON null where
 * one was not timed; NULL: out of memory.
 */
json_t		*overlap_json(const json_t *first, const json_t *second);

#endif
