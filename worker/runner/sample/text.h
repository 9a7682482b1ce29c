/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_TEXT_H
#define ASSAY_WORKER_RUNNER_SAMPLE_TEXT_H

#include "worker/runner/sample/stream.h"

#pragma GCC visibility push(hidden)

/*
 * Words of 1 to 10 small letters, a space between two.  A line ends after the word that reaches its
 * 60th place.  The last byte ends a line, too.
 */
enum { RT_TEXT_WORD = 10, RT_TEXT_LINE = 60 };

void		 rt_text(const struct stream *, char *at, uint64_t bytes);

#pragma GCC visibility pop
#endif
