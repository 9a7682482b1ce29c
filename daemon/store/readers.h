/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_READERS_H
#define ASSAY_DAEMON_STORE_READERS_H

#include "daemon/store/store.h"

/*
 * Readings of the database on threads of their own, each with a read-only connection.  A reading
 * sees all that was committed before it was added.  It is over when its function has returned, and
 * then its callback is called once, by readers_reap on the event loop.
 *
 * A reading ends after READING_LIMIT_MS, and of one user not all threads are busy at a time.  So
 * one that is slow keeps neither writers nor other users waiting.
 */
struct readers;
struct reading;

enum { READERS_MAX = 16, READERS_OF_USER = 12, READING_LIMIT_MS = 5000 };

enum status	 readers_new(struct readers **, const char *path, struct fault *);
/* Ends all readings; those that are not over are called back with ST_CANCELLED. */
void		 readers_free(struct readers *);

/* How a reading ended: with its answer, because its client left, at the limit of time. */
enum reading_end { READING_ANSWERED, READING_LEFT, READING_LIMIT, READING_NENDS };

struct reader_counts {
	uint64_t	 ended[READING_NENDS];
	unsigned	 waiting, running;
};
void		 readers_count(struct readers *, struct reader_counts *);

int		 readers_fd(const struct readers *);	/* readable: there is something to reap */
void		 readers_reap(struct readers *);

/* On a thread: nothing else may use arg meanwhile, and nothing may be logged. */
typedef enum status reading_fn(struct store *, void *arg, struct fault *);
/* On the event loop. */
typedef void	 reading_done_fn(void *arg, enum status, const struct fault *);

/* Borrowed until it is called back; NULL: no memory, and no callback. */
struct reading	*readers_add(struct readers *, uid_t, reading_fn *, reading_done_fn *, void *arg);
/* Without a limit of time. */
struct reading	*readers_add_long(struct readers *, uid_t, reading_fn *, reading_done_fn *,
		    void *arg);
/* Ends it soon, with its callback and ST_CANCELLED. */
void		 reading_cancel(struct reading *);

#endif
