/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_REPEAT_H
#define ASSAY_DAEMON_JUDGE_REPEAT_H

#include "daemon/judge/case_file.h"

/*
 * Gives the result the times and findings of the stored one (proto/wire/result.h), and repeat_of.
 * `stored` is to be released when the result is written.  Not ok: it is no result, or there is no
 * memory.
 */
enum status	 repeat_judge(const struct case_file *, struct result *stored, struct result *);

#endif
