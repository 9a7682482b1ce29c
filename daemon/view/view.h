/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_VIEW_H
#define ASSAY_DAEMON_VIEW_VIEW_H

#include <event2/buffer.h>
#include <jansson.h>

#include "daemon/setup/users.h"
#include "daemon/store/store.h"

/*
 * What of a job a user may see.  Times, statuses, names and points are for all readers.  What the
 * job was made of is for its submitter, for operators and for those of its visibility: sources,
 * files, specs, and what quotes them in a result: messages of a compiler, points of a space.
 *
 * Its functions may be called on any thread.
 */
struct viewer {
	struct users	*users;		/* borrowed; NULL: users.conf has none */
	uid_t		 uid;		/* USER_NOBODY: an unknown reader */
};

bool		 viewer_may_see(const struct viewer *, const struct row_owner *);

/* A stored result, as it is read. */
struct shown {
	const char	*json;		/* borrowed; an object that is not empty */
	size_t		 bytes;
	struct row_owner owner;
	struct row_rank	 rank;		/* how NULL: it has none */
};
/*
 * Appends it as replies have it: with `user_name`, and of a sweep with a corrected ranking
 * `corrected_ns` or `uncorrected`, in front; without what the viewer may not see, which `withheld`
 * then names.
 */
enum status	 view_put(const struct viewer *, struct evbuffer *, const struct shown *);
/* The same of a result that was parsed. */
void		 view_set(const struct viewer *, json_t *result, const struct shown *);

/* Adds `user_name`, if the user has a name. */
void		 view_set_name(struct users *, json_t *object, uid_t);

#endif
