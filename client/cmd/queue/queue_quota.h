/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_QUEUE_QUEUE_QUOTA_H
#define ASSAY_CLIENT_CMD_QUEUE_QUEUE_QUOTA_H

#include <jansson.h>

/* `quota` of queue.get: a line for each user that has limits, and uses some of them. */
void		 queue_print_quota(const json_t *quota);

#endif
