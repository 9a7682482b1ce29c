/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/store/readers.h"
#include "daemon/store/store_impl.h"
#include "proto/base/clock.h"

/*
 * A reading is on one of three lists: waiting, running, over.  Lists and counts are the mutex's.
 * A thread starts when there is work and none is idle; they stay until the end.
 */
enum { NICENESS = 5 };		/* of the threads: commits and dispatch have the CPU first */

struct reading {
	struct readers		*all;		/* borrowed */
	uid_t			 uid;
	reading_fn		*fn;
	reading_done_fn		*done;
	void			*arg;
	bool			 limited;	/* in time */
	uint64_t		 started_ns;	/* on the monotonic clock */
	atomic_bool		 cancelled;
	enum status		 status;	/* of a reading that is over, as is the next */
	struct fault		 why;
	enum reading_end	 end;
	TAILQ_ENTRY(reading)	 entry;
};
TAILQ_HEAD(reading_list, reading);

struct readers {
	char			*path;		/* owned */
	int			 fd;		/* owned; an eventfd */
	pthread_mutex_t		 mutex;
	pthread_cond_t		 work;
	struct reading_list	 waiting, running, over;
	pthread_t		 threads[READERS_MAX];
	unsigned		 nthreads, idle, nwaiting;
	uint64_t		 ended[READING_NENDS];	/* the event loop's */
	bool			 stops;
};

/* ---- one reading ---- */

/* Asked by the connection again and again while it works. */
static bool
is_over(void *arg)
{
	const struct reading	*r = arg;

	return atomic_load(&r->cancelled) || (r->limited &&
	    clock_now_ns() - r->started_ns > READING_LIMIT_MS * UINT64_C(1000000));
}

static enum status
end_early(struct reading *r, struct fault *why)
{
	r->end = atomic_load(&r->cancelled) ? READING_LEFT : READING_LIMIT;
	if (r->end == READING_LEFT)
		return fault_set(why, ST_CANCELLED, "its connection is closed");
	(void)fault_set(why, ST_FULL, "reading the database took longer than %d s",
	    READING_LIMIT_MS / 1000);
	fault_hint(why, "ask for fewer rows, or filter by sweep, name or ids");
	return ST_FULL;
}

static void
run(struct reading *r, struct store *s)
{
	r->started_ns = clock_now_ns();
	s->is_over = is_over;
	s->over_arg = r;
	r->status = is_over(r) ? ST_CANCELLED : r->fn(s, r->arg, &r->why);
	if (r->status != ST_OK && is_over(r))
		r->status = end_early(r, &r->why);
	s->is_over = NULL;
}

/* ---- threads ---- */

static unsigned
running_of(const struct readers *a, uid_t uid)
{
	const struct reading	*r;
	unsigned		 n = 0;

	TAILQ_FOREACH(r, &a->running, entry)
		n += r->uid == uid;
	return n;
}

/* The first whose user has a thread left; NULL: none.  Users with full threads are few. */
static struct reading *
next_reading(struct readers *a)
{
	struct reading	*r;
	uid_t		 full = 0;
	bool		 any_full = false;

	TAILQ_FOREACH(r, &a->waiting, entry) {
		if (any_full && r->uid == full)
			continue;
		if (running_of(a, r->uid) < READERS_OF_USER)
			return r;
		full = r->uid;
		any_full = true;
	}
	return NULL;
}

static void
wake_loop(const struct readers *a)
{
	static const uint64_t	one = 1;

	while (write(a->fd, &one, sizeof one) < 0 && errno == EINTR)
		continue;
}

static void
finish(struct readers *a, struct reading *r)
{
	TAILQ_REMOVE(&a->running, r, entry);
	TAILQ_INSERT_TAIL(&a->over, r, entry);
	if (TAILQ_FIRST(&a->over) == r)
		wake_loop(a);
}

static void
stop_waiting(struct readers *a, struct reading *r)
{
	TAILQ_REMOVE(&a->waiting, r, entry);
	a->nwaiting--;
}

/* With the mutex, which it gives back while it reads. */
static void
read_one(struct readers *a, struct reading *r, struct store **s)
{
	stop_waiting(a, r);
	TAILQ_INSERT_TAIL(&a->running, r, entry);
	(void)pthread_mutex_unlock(&a->mutex);
	if (*s == NULL)
		r->status = store_open_reader(s, a->path, &r->why);
	if (*s != NULL)
		run(r, *s);
	(void)pthread_mutex_lock(&a->mutex);
	finish(a, r);
}

static void *
work(void *arg)
{
	struct readers	*a = arg;
	struct store	*s = NULL;
	struct reading	*r;

	(void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
	(void)pthread_mutex_lock(&a->mutex);
	while (!a->stops) {
		if ((r = next_reading(a)) != NULL) {
			read_one(a, r, &s);
			continue;
		}
		a->idle++;
		(void)pthread_cond_wait(&a->work, &a->mutex);
		a->idle--;
	}
	(void)pthread_mutex_unlock(&a->mutex);
	store_free(s);
	return NULL;
}

/* Signals are the event loop's. */
static bool
start_thread(struct readers *a)
{
	sigset_t	all, before;
	bool		started;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	started = pthread_create(&a->threads[a->nthreads], NULL, work, a) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	a->nthreads += started;
	return started;
}

/* ---- on the event loop ---- */

static struct reading *
add(struct readers *a, uid_t uid, reading_fn *fn, reading_done_fn *done, void *arg, bool limited)
{
	struct reading	*r = calloc(1, sizeof *r);

	if (r == NULL)
		return NULL;
	*r = (struct reading){ .all = a, .uid = uid, .fn = fn, .done = done, .arg = arg,
	    .limited = limited };
	(void)pthread_mutex_lock(&a->mutex);
	TAILQ_INSERT_TAIL(&a->waiting, r, entry);
	a->nwaiting++;
	if (a->nwaiting > a->idle && a->nthreads < READERS_MAX && !start_thread(a) &&
	    a->nthreads == 0) {
		stop_waiting(a, r);
		free(r);
		r = NULL;
	}
	(void)pthread_cond_signal(&a->work);
	(void)pthread_mutex_unlock(&a->mutex);
	return r;
}

struct reading *
readers_add(struct readers *a, uid_t uid, reading_fn *fn, reading_done_fn *done, void *arg)
{
	return add(a, uid, fn, done, arg, true);
}

struct reading *
readers_add_long(struct readers *a, uid_t uid, reading_fn *fn, reading_done_fn *done, void *arg)
{
	return add(a, uid, fn, done, arg, false);
}

/* One that waits is over at once. */
void
reading_cancel(struct reading *r)
{
	struct readers	*a = r->all;
	struct reading	*w;

	atomic_store(&r->cancelled, true);
	(void)pthread_mutex_lock(&a->mutex);
	TAILQ_FOREACH(w, &a->waiting, entry)
		if (w == r)
			break;
	if (w != NULL) {
		stop_waiting(a, r);
		TAILQ_INSERT_TAIL(&a->running, r, entry);
		r->status = end_early(r, &r->why);
		finish(a, r);
	}
	(void)pthread_mutex_unlock(&a->mutex);
}

int
readers_fd(const struct readers *a)
{
	return a->fd;
}

void
readers_reap(struct readers *a)
{
	struct reading_list	 over = TAILQ_HEAD_INITIALIZER(over);
	struct reading		*r;
	uint64_t		 count;

	while (read(a->fd, &count, sizeof count) < 0 && errno == EINTR)
		continue;
	(void)pthread_mutex_lock(&a->mutex);
	TAILQ_CONCAT(&over, &a->over, entry);
	(void)pthread_mutex_unlock(&a->mutex);
	while ((r = TAILQ_FIRST(&over)) != NULL) {
		TAILQ_REMOVE(&over, r, entry);
		a->ended[r->end]++;
		r->done(r->arg, r->status, &r->why);
		free(r);
	}
}

void
readers_count(struct readers *a, struct reader_counts *out)
{
	const struct reading	*r;

	*out = (struct reader_counts){ .running = 0 };
	memcpy(out->ended, a->ended, sizeof out->ended);
	(void)pthread_mutex_lock(&a->mutex);
	out->waiting = a->nwaiting;
	TAILQ_FOREACH(r, &a->running, entry)
		out->running++;
	(void)pthread_mutex_unlock(&a->mutex);
}

/* ---- life ---- */

enum status
readers_new(struct readers **out, const char *path, struct fault *why)
{
	struct readers	*a = calloc(1, sizeof *a);

	*out = NULL;
	if (a == NULL || (a->path = strdup(path)) == NULL ||
	    (a->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0) {
		if (a != NULL)
			free(a->path);
		free(a);
		return fault_set(why, ST_NOMEM, "readers");
	}
	json_object_seed(0);		/* before threads make objects */
	TAILQ_INIT(&a->waiting);
	TAILQ_INIT(&a->running);
	TAILQ_INIT(&a->over);
	(void)pthread_mutex_init(&a->mutex, NULL);
	(void)pthread_cond_init(&a->work, NULL);
	*out = a;
	return ST_OK;
}

static void
cancel_all(struct readers *a)
{
	struct reading	*r;

	(void)pthread_mutex_lock(&a->mutex);
	a->stops = true;
	TAILQ_FOREACH(r, &a->running, entry)
		atomic_store(&r->cancelled, true);
	while ((r = TAILQ_FIRST(&a->waiting)) != NULL) {
		stop_waiting(a, r);
		TAILQ_INSERT_TAIL(&a->over, r, entry);
		atomic_store(&r->cancelled, true);
		r->status = end_early(r, &r->why);
	}
	(void)pthread_cond_broadcast(&a->work);
	(void)pthread_mutex_unlock(&a->mutex);
}

void
readers_free(struct readers *a)
{
	if (a == NULL)
		return;
	do {				/* a callback may add another reading */
		cancel_all(a);
		for (; a->nthreads != 0; a->nthreads--)
			(void)pthread_join(a->threads[a->nthreads - 1], NULL);
		readers_reap(a);
	} while (!TAILQ_EMPTY(&a->over) || !TAILQ_EMPTY(&a->waiting) || a->nthreads != 0);
	(void)pthread_cond_destroy(&a->work);
	(void)pthread_mutex_destroy(&a->mutex);
	(void)close(a->fd);
	free(a->path);
	free(a);
}
