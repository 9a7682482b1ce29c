/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOSTD_LEASE_H
#define ASSAY_DAEMON_HOSTD_LEASE_H

#include <signal.h>

#include "daemon/host/tune.h"

/*
 * Serves one client at a time: it asks for the host and has it until it disconnects.  Settings of
 * assay-hostd decide what may be changed; the client names the CPUs.
 */
struct lease_config {
	struct hostfs		 fs;
	struct tune_order	 order;
	/* under socket activation: it is started again on demand */
	bool			 leave_when_idle;
};

/*
 * From here on, SIGTERM and SIGINT wait for lease_serve.  Call it before there is a socket: a
 * program that sees the socket may send one at once.
 */
sigset_t	 lease_hold_signals(void);

/* Serves the listening socket until SIGTERM or SIGINT; everything is undone when it returns. */
enum status	 lease_serve(const struct lease_config *, int listen_fd, struct fault *);

#endif
