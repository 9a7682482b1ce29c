/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_QUEUE_QUEUE_USERS_H
#define ASSAY_CLIENT_CMD_QUEUE_QUEUE_USERS_H

#include <jansson.h>

#include "client/print/cli.h"

/* `users` and `rate` of queue.get: a table, and a line. */
enum status	 queue_print_users(const struct cli *, const json_t *queue, struct fault *);
/* assay queue ID: where a job is, and when its end is expected. */
enum status	 queue_print_job(struct cli *, const char *id, struct fault *);

#endif
