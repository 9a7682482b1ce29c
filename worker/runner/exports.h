/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_EXPORTS_H
#define ASSAY_WORKER_RUNNER_EXPORTS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The functions that a loaded object exports, one a line, into buf. */
void		 rt_exports(void *handle, char *buf, uint64_t bytes);

#pragma GCC visibility pop
#endif
