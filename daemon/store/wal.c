/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "daemon/store/wal.h"

enum {
	FEW_PAGES	= 200,		/* that a commit may copy itself */
	PASSES		= 4,		/* of the thread, at most, until so few are left */
	MORE_PAGES	= 1000,		/* until the next try, while readers hold old pages */
};

enum progress {
	IDLE,
	ASKED,			/* the thread copies */
	COPIED,			/* but for the last pages */
};

struct wal {
	sqlite3		*db;		/* borrowed; the event loop's */
	sqlite3		*own;		/* owned; the thread's */
	int		 due;		/* pages of the log, from which on it is copied */
	pthread_mutex_t	 mutex;		/* of what follows */
	pthread_cond_t	 asked;
	enum progress	 progress;
	bool		 stops;
	bool		 has_thread;	/* the event loop's, as is the next */
	pthread_t	 thread;
};

/* Pages of the log that are not in the database; -1: it could not be seen. */
static int
copy(sqlite3 *db)
{
	int	logged, copied;

	if (sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, &logged, &copied) !=
	    SQLITE_OK)
		return -1;
	return logged - copied;
}

static void *
work(void *arg)
{
	struct wal	*w = arg;

	(void)pthread_mutex_lock(&w->mutex);
	while (!w->stops) {
		if (w->progress != ASKED) {
			(void)pthread_cond_wait(&w->asked, &w->mutex);
			continue;
		}
		(void)pthread_mutex_unlock(&w->mutex);
		for (int pass = 0; pass < PASSES && copy(w->own) > FEW_PAGES; pass++)
			continue;
		(void)pthread_mutex_lock(&w->mutex);
		w->progress = COPIED;
	}
	(void)pthread_mutex_unlock(&w->mutex);
	return NULL;
}

/* Signals are the event loop's. */
static bool
start_thread(struct wal *w)
{
	sigset_t	all, before;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	w->has_thread = pthread_create(&w->thread, NULL, work, w) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return w->has_thread;
}

static enum progress
progress_of(struct wal *w)
{
	enum progress	progress;

	(void)pthread_mutex_lock(&w->mutex);
	progress = w->progress;
	(void)pthread_mutex_unlock(&w->mutex);
	return progress;
}

static void
set_progress(struct wal *w, enum progress progress)
{
	(void)pthread_mutex_lock(&w->mutex);
	w->progress = progress;
	(void)pthread_cond_signal(&w->asked);
	(void)pthread_mutex_unlock(&w->mutex);
}

/* The next commit begins the log anew, unless readers hold pages of it. */
static void
copy_rest(struct wal *w, int pages)
{
	w->due = copy(w->db) == 0 ? WAL_PAGES : pages + MORE_PAGES;
}

/* After each commit.  A failure leaves the log as it is, and costs nothing but its size. */
static int
on_commit(void *arg, sqlite3 *db, const char *name, int pages)
{
	struct wal		*w = arg;
	const enum progress	 progress = progress_of(w);

	(void)db;
	(void)name;
	if (progress == COPIED) {
		copy_rest(w, pages);
		set_progress(w, IDLE);
	} else if (progress == IDLE && pages >= w->due) {
		if (w->has_thread || start_thread(w))
			set_progress(w, ASKED);
		else
			copy_rest(w, pages);
	}
	return SQLITE_OK;
}

/* Opens the file itself at once: later there may be another one in its place. */
static enum status
open_own(struct wal *w, const char *path, struct fault *why)
{
	if (sqlite3_open_v2(path, &w->own, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
	    SQLITE_OK && sqlite3_exec(w->own, "PRAGMA synchronous = FULL;"
	    " SELECT 1 FROM sqlite_schema LIMIT 1", NULL, NULL, NULL) == SQLITE_OK)
		return ST_OK;
	return fault_set(why, ST_IO, "%s: opening: %s", path, sqlite3_errmsg(w->own));
}

enum status
wal_new(struct wal **out, sqlite3 *db, const char *path, struct fault *why)
{
	struct wal	*w = calloc(1, sizeof *w);
	enum status		 st;

	*out = NULL;
	if (w == NULL)
		return fault_set(why, ST_NOMEM, "store");
	w->db = db;
	w->due = WAL_PAGES;
	(void)pthread_mutex_init(&w->mutex, NULL);
	(void)pthread_cond_init(&w->asked, NULL);
	if ((st = open_own(w, path, why)) != ST_OK) {
		wal_free(w);
		return st;
	}
	(void)sqlite3_wal_hook(db, on_commit, w);
	*out = w;
	return ST_OK;
}

void
wal_free(struct wal *w)
{
	if (w == NULL)
		return;
	(void)sqlite3_wal_hook(w->db, NULL, NULL);
	(void)pthread_mutex_lock(&w->mutex);
	w->stops = true;
	(void)pthread_cond_signal(&w->asked);
	(void)pthread_mutex_unlock(&w->mutex);
	if (w->has_thread)
		(void)pthread_join(w->thread, NULL);
	(void)sqlite3_close(w->own);
	(void)pthread_cond_destroy(&w->asked);
	(void)pthread_mutex_destroy(&w->mutex);
	free(w);
}
