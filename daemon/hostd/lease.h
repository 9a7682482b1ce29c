/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOSTD_LEASE_H
#define ASSAY_DAEMON_HOSTD_LEASE_H

#include <signal.h>

#include "daemon/host/tune.h"

/*
 * assay-hostd at work: one client at a time asks for the host and has it for as long as it stays
 * connected.  What may be done to the host is decided by assay-hostd's own settings, which CPUs by
 * the client.
 */
struct lease_config {
	struct hostfs		 fs;
	struct tune_order	 order;
	bool			 leave_when_idle;	/* started by socket activation: starts
							 * again when needed */
};

/*
 * SIGTERM and SIGINT wait for lease_serve from here on.  Call it before there is a socket: a
 * program that sees the socket may send one at once.
 */
sigset_t	 lease_hold_signals(void);

/* Serves the listening socket until SIGTERM or SIGINT; everything is undone when it returns. */
enum status	 lease_serve(const struct lease_config *, int listen_fd, struct fault *);

#endif
