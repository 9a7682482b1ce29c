/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TALK_REACH_H
#define ASSAY_CLIENT_TALK_REACH_H

#include "client/talk/launch.h"
#include "client/talk/talk.h"

/*
 * A daemon that will time something for this command: the one that runs, or a private one that comes and goes with us
 * where nobody has said which daemon it should be.
 */
struct reach {
	struct talk	*talk;		/* owned; NULL: not reached */
	struct launch	 launch;
	bool		 is_private;	/* launch runs */
	char		 images_dir[PATH_MAX];	/* that a private one gets; "" none */
};

/* `r` is zeroed before; it is to be closed in any case.  Says on stderr that it started one, unless quiet. */
enum status	 reach_open(struct reach *, const struct cli *, struct fault *);
void		 reach_images_beside(struct reach *, const char *path);	/* before that: where this file is; "-": here */
void		 reach_close(struct reach *);
void		 reach_explain(struct reach *, struct fault *);	/* the connection is lost: its last words */

/* Nobody waits for these jobs (NULL: none) any more: cancel them, and see that it is written down before we go. */
void		 reach_take_back(struct reach *, const json_t *ids, bool quiet);

#endif
