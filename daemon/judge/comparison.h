/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_COMPARISON_H
#define ASSAY_DAEMON_JUDGE_COMPARISON_H

#include "daemon/judge/judge.h"

/*
 * A result's `comparison`: what the worker found in the pairs (verdict, ratio, interval), and beside it what is
 * computed of their samples here: a summary of each of the two, a being the job's `against` and b its variant, and
 * Student's t-test.  New reference; JSON null when nothing was compared.
 */
json_t		*comparison_json(const struct case_file *, const struct job *);

#endif
