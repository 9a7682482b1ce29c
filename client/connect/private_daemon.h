/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_PRIVATE_DAEMON_H
#define ASSAY_CLIENT_CONNECT_PRIVATE_DAEMON_H

#include <limits.h>
#include <sys/types.h>

#include "proto/base/fault.h"

/*
 * A private assayd for one command: its socket is in a directory that only we can enter, its state where that user's
 * daemon keeps it, so that results stay.  It holds the reading end of a pipe whose writing end is ours: however we end,
 * it ends.
 */
struct private_daemon {
	pid_t	 pid;			/* 0: none runs */
	int	 life_fd, log_fd;	/* ours; log_fd: an anonymous file with all it said */
	const char *images_dir;		/* for it; borrowed; NULL: none */
	bool	 keeps_nothing;		/* the state directory was taken: it has one that goes with it */
	char	 dir[64];		/* made for it; "" none */
	char	 socket[108];
};

/* Returns once it listens.  ST_NOT_FOUND: no assayd; its own words when it would not start; ST_CANCELLED by Ctrl-C. */
enum status	 private_daemon_start(struct private_daemon *, const char *images_dir, struct fault *);
void		 private_daemon_stop(struct private_daemon *);		/* waits for its end; harmless if none runs */
void		 private_daemon_put_log(struct private_daemon *, struct fault *);	/* its last line as the hint, if it died */

#endif
