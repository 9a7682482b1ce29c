/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TALK_LAUNCH_H
#define ASSAY_CLIENT_TALK_LAUNCH_H

#include <limits.h>
#include <sys/types.h>

#include "proto/base/fault.h"

/*
 * A private assayd for one command: its socket is in a directory that only we can enter, its state where that user's
 * daemon keeps it, so that results stay.  It holds the reading end of a pipe whose writing end is ours: however we end,
 * it ends.
 */
struct launch {
	pid_t	 pid;			/* 0: none runs */
	int	 life_fd, log_fd;	/* ours; log_fd: an anonymous file with all it said */
	const char *images_dir;		/* for it; borrowed; NULL: none */
	bool	 keeps_nothing;		/* the state directory was taken: it has one that goes with it */
	char	 dir[64];		/* made for it; "" none */
	char	 socket[108];
};

/* Returns once it listens.  ST_NOT_FOUND: no assayd; its own words when it would not start; ST_CANCELLED by Ctrl-C. */
enum status	 launch_start(struct launch *, const char *images_dir, struct fault *);
void		 launch_stop(struct launch *);		/* waits for its end; harmless if none runs */
void		 launch_put_log(struct launch *, struct fault *);	/* its last line as the hint, if it died */

#endif
