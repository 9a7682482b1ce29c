/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_SESSION_H
#define ASSAY_CLIENT_CONNECT_SESSION_H

#include "client/connect/connection.h"
#include "client/connect/private_daemon.h"

/*
 * The daemon of this command: the running one or, unless the user has named a socket, a private
 * one, which starts and ends with the command.
 */
struct session {
	struct connection	*connection;	/* owned; NULL: none */
	struct private_daemon	 private_daemon;
	bool			 is_private;	/* private_daemon runs */
	char			 images_dir[PATH_MAX];	/* for a private one; "" none */
};

/* Before session_open: checkpoint images lie in the directory of this file, of "-" in this one. */
void		 session_images_beside(struct session *, const char *path);

/* Of zeroed memory, to be closed in any case.  Reports a private daemon on stderr, unless quiet. */
enum status	 session_open(struct session *, const struct cli *, struct fault *);
void		 session_close(struct session *);

/* After a lost connection: the last line of a private daemon's log becomes the hint. */
void		 session_explain(struct session *, struct fault *);

/* Cancel these jobs (NULL: none), and wait until that is recorded. */
void		 session_cancel(struct session *, const json_t *ids, bool quiet);
/* After Ctrl-C: cancel these jobs, and return the command's exit code; else 0. */
int		 session_interrupted(struct session *, const json_t *ids, bool quiet);

#endif
