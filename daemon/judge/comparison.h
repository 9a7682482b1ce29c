/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_COMPARISON_H
#define ASSAY_DAEMON_JUDGE_COMPARISON_H

#include "daemon/judge/case_file.h"

/*
 * The verdict of the pairs, with both sides' own times: a is the job's `against`, b its variant.
 * ST_NOMEM.
 */
enum status	 comparison_judge(const struct case_file *, struct result_comparison *out);

/* Both sides' names and origins. */
void		 comparison_name(const struct case_file *, struct result_comparison *);

#endif
