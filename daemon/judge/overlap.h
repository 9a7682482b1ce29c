/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_OVERLAP_H
#define ASSAY_DAEMON_JUDGE_OVERLAP_H

#include <jansson.h>

/*
 * Of two stored results of any version: { ratio: of their medians, overlap: of the 95 % intervals
 * of their estimators, null: one has none }. New reference; JSON null: one was not timed; NULL: out
 * of memory.
 */
json_t		*overlap_json(const json_t *first, const json_t *second);

#endif
