/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_LOCK_H
#define ASSAY_DAEMON_STORE_STORE_LOCK_H

#include "daemon/store/store.h"

/*
 * While another process holds the write lock of the database, every write fails at once with
 * ST_UNAVAILABLE, and store_is_locked is true.  Writes that must not be lost are held.
 */
bool		 store_is_locked(const struct store *);
/* Opens a group; false: it is locked.  For what would write a part and then fail. */
bool		 store_may_write(struct store *);
/* Of a call that does not begin then: ST_UNAVAILABLE. */
enum status	 store_say_locked(const struct store *, struct fault *);
/* ST_OK: a group is open, the write can be made; else the lock was not to be had. */
enum status	 store_when_unlocked(struct store *, durable_fn *, void *arg);
/* In place of a commit; true: it is not locked, or no longer.  Else on_dirty fires again. */
bool		 store_try_lock(struct store *);
/* Of a daemon that stops: waits for the lock for some seconds, then gives up what is held. */
void		 store_last_wait(struct store *);

#endif
