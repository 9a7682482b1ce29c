/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_PLACEMENT_H
#define ASSAY_DAEMON_JUDGE_PLACEMENT_H

#include <stdbool.h>

#include <jansson.h>

/*
 * A timing's report on its layouts (proto/wire/msg.h) → the result's `layout` (proto/PROTOCOL.md): the time of each layout,
 * how far they are apart, and how far when only code, only operands or only the stack differ from the default.  Times
 * are divided by their canary readings where they were gated and
 * all are quiet.  New reference; JSON null for a report without layouts, NULL:
 * out of memory.
 */
json_t		*placement_result(const json_t *reported, bool gated);

#endif
