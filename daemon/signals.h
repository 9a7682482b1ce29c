/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SIGNALS_H
#define ASSAY_DAEMON_SIGNALS_H

#include <stdbool.h>

#include <event2/event.h>

#include "proto/base/fault.h"

/*
 * Signals of an operator.  SIGTERM drains, a second one or SIGINT stops at once; SIGHUP reloads, at
 * most once a second however many come; SIGUSR1 and SIGUSR2 do nothing.  A write to a closed
 * connection is an EPIPE.
 */
struct signals;

struct signal_hooks {
	void	(*drain)(void *arg);
	void	(*stop)(void *arg, const char *reason);
	void	(*reload)(void *arg);
};

/* Before the event loop is there: none of them ends the process but SIGTERM and SIGINT. */
void		 signals_prepare(void);
/* From here on a signal reaches the event loop, even before it runs. */
enum status	 signals_new(struct signals **, struct event_base *, const struct signal_hooks *,
		    void *arg, struct fault *);
void		 signals_free(struct signals *);

#endif
