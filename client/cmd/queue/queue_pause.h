/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_QUEUE_QUEUE_PAUSE_H
#define ASSAY_CLIENT_CMD_QUEUE_QUEUE_PAUSE_H

#include <jansson.h>

#include "client/print/cli.h"

/* assay queue pause, assay queue resume: of one of these. */
struct queue_target {
	const char	*sweep, *user;	/* NULL: not given; borrowed */
	bool		 all;
};

bool		 queue_target_is_one(const struct queue_target *);
enum status	 queue_pause(struct cli *, bool pauses, const struct queue_target *,
		    struct fault *);
/* Of queue.get: one line, or none. */
void		 queue_print_paused(const json_t *queue);

#endif
