/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_SESSION_H
#define ASSAY_CLIENT_CONNECT_SESSION_H

#include "client/connect/connection.h"
#include "client/connect/private_daemon.h"

/*
 * A daemon that will time something for this command: the one that runs, or a private one that comes and goes with us
 * where nobody has said which daemon it should be.
 */
struct session {
	struct connection	*connection;		/* owned; NULL: not reached */
	struct private_daemon	 private_daemon;
	bool		 is_private;	/* launch runs */
	char		 images_dir[PATH_MAX];	/* that a private one gets; "" none */
};

/* `r` is zeroed before; it is to be closed in any case.  Says on stderr that it started one, unless quiet. */
enum status	 session_open(struct session *, const struct cli *, struct fault *);
void		 session_images_beside(struct session *, const char *path);	/* before that: where this file is; "-": here */
void		 session_close(struct session *);
void		 session_explain(struct session *, struct fault *);	/* the connection is lost: its last words */

/* Nobody waits for these jobs (NULL: none) any more: cancel them, and see that it is written down before we go. */
void		 session_cancel(struct session *, const json_t *ids, bool quiet);

#endif
