/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_READINESS_H
#define ASSAY_CLIENT_PRINT_RESULTS_READINESS_H

#include <jansson.h>

/*
 * `readiness` of queue.get and host.get: a line for each reason why the daemon is not ready.  A
 * ready daemon, or one that is too old to say, gets no line.
 */
void	 readiness_print(const json_t *readiness);

#endif
