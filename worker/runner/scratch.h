/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SCRATCH_H
#define ASSAY_WORKER_RUNNER_SCRATCH_H

#pragma GCC visibility push(hidden)

/* In the template, before a child: it finds no files of the one before it.  "": nowhere. */
void		 rt_scratch_clear(const char *dir);

#pragma GCC visibility pop
#endif
