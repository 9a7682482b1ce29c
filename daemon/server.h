/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SERVER_H
#define ASSAY_DAEMON_SERVER_H

#include <event2/event.h>

#include "daemon/api/api.h"

/*
 * Listen, accept, commit in groups, tick, stop in order. server_new binds every socket, so that a
 * daemon that cannot serve reports it before it starts a worker.  Connections are accepted from
 * server_run on.
 */
struct server;

/* Everything in the env is borrowed. */
enum status	 server_new(struct server **, const struct api_env *, struct fault *);
/* Before server_run: the queue of the daemon before is read, while this one serves. */
enum status	 server_recover(struct server *, struct fault *);
/* In place of dispatch_start: no job is begun, and calls that bring work are refused. */
void		 server_only_answer(struct server *);
/* Connections of a user; 0: no limit. */
void		 server_set_quota(struct server *, unsigned connections);
/* users.conf was read again. */
void		 server_reload_doors(struct server *);
/* At SIGHUP; to be set before the run. */
void		 server_on_reload(struct server *, void (*)(void *), void *arg);
enum status	 server_run(struct server *, struct fault *);	/* until a drain, SIGINT or the end
								 * of exit_with_fd */
void		 server_free(struct server *);	/* after a commit, when no call is under way */

#endif
