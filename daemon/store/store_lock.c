/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another process may hold the write lock of the database for as long as it likes.  The event loop
 * does not wait for it: writes are held, and the commit event tries to get the lock again.
 */
#include <stdlib.h>

#include "daemon/store/store_impl.h"
#include "daemon/store/store_lock.h"

enum { LAST_WAIT_MS = 5000 };

struct held {
	durable_fn		*fn;
	void			*arg;
	STAILQ_ENTRY(held)	 entry;
};

/* ST_UNAVAILABLE: another process has the lock. */
static enum status
begin(struct store *s, struct fault *why)
{
	enum status	st = store_run(s, store_statement(s, Q_BEGIN), why);

	s->open_group = st == ST_OK;
	if (st == ST_OK || sqlite3_errcode(s->db) != SQLITE_BUSY)
		return st;
	s->is_locked = true;
	return store_say_locked(s, why);
}

enum status
store_say_locked(const struct store *s, struct fault *why)
{
	(void)fault_set(why, ST_UNAVAILABLE, "%s: another process holds its write lock", s->path);
	fault_hint(why, "end that process's transaction; writes wait until then");
	return ST_UNAVAILABLE;
}

enum status
store_join_group(struct store *s, struct fault *why)
{
	enum status	st = ST_OK;

	if (s->open_group)
		return ST_OK;
	st = s->is_locked ? store_say_locked(s, why) : begin(s, why);
	if ((st == ST_OK || s->is_locked) && s->on_dirty != NULL)
		s->on_dirty(s->on_dirty_arg, false);
	return st;
}

bool
store_is_locked(const struct store *s)
{
	return s->is_locked;
}

bool
store_may_write(struct store *s)
{
	struct fault	why;

	return store_join_group(s, &why) != ST_UNAVAILABLE;
}

enum status
store_when_unlocked(struct store *s, durable_fn *fn, void *arg)
{
	struct held	*h = malloc(sizeof *h);

	if (h == NULL)
		return ST_NOMEM;
	h->fn = fn;
	h->arg = arg;
	STAILQ_INSERT_TAIL(&s->held, h, entry);
	return ST_OK;
}

static void
end_held(struct store *s, enum status st, const struct fault *why)
{
	struct held_list	 list = STAILQ_HEAD_INITIALIZER(list);
	struct held		*h;

	STAILQ_CONCAT(&list, &s->held);
	while ((h = STAILQ_FIRST(&list)) != NULL) {
		STAILQ_REMOVE_HEAD(&list, entry);
		h->fn(h->arg, st, why);
		free(h);
	}
}

static bool
try_for(struct store *s, int ms)
{
	struct fault	why = { .status = ST_OK };
	enum status	st;

	(void)sqlite3_busy_timeout(s->db, ms);
	st = begin(s, &why);
	(void)sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
	if (st == ST_UNAVAILABLE)
		return false;
	s->is_locked = false;
	end_held(s, st, &why);
	return true;
}

bool
store_try_lock(struct store *s)
{
	if (s->is_locked && !try_for(s, 0) && s->on_dirty != NULL)
		s->on_dirty(s->on_dirty_arg, false);
	return !s->is_locked;
}

void
store_last_wait(struct store *s)
{
	struct fault	why;

	if (s->is_locked && !try_for(s, LAST_WAIT_MS))
		end_held(s, store_say_locked(s, &why), &why);
}
