/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_WIRE_H
#define ASSAY_WORKER_WIRE_H

#include <stddef.h>

#include "proto/wire/msg.h"

/*
 * The worker's end of its socket: whole messages in and out, and a look at what comes in while it
 * is busy.
 */
struct wire {
	int		 fd;
	char		*buf;		/* owned; bytes read and not yet taken */
	size_t		 n, room;
	int64_t		 busy_with;	/* the job being worked on, 0: none */
	bool		 cancelled;	/* a cancel for that job has come */
	struct msg	 ahead;		/* the next order, if there is one already */
	bool		 has_ahead, ahead_cancelled;
	bool		 closed;	/* the daemon has hung up */
	struct fault	 broken;	/* why the stream cannot go on; ST_OK: it can */
};

void		 wire_init(struct wire *, int fd);
void		 wire_release(struct wire *);

/*
 * Wait for the next message.  One order may come while another is being worked on; it is the next.
 * ST_UNAVAILABLE: the daemon has hung up; others: what came is no message.
 */
enum status	 wire_next(struct wire *, struct msg *, struct fault *);
enum status	 wire_send(struct wire *, const struct msg *, struct fault *);

/* From here on cancels are for this job; 0: idle. */
void		 wire_set_busy(struct wire *, int64_t job_id);

/* A stop_fn; the argument is the wire: a cancel for the job has come, or the daemon is gone. */
bool		 wire_says_stop(void *wire);

#endif
