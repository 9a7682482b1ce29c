/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread for each file sleeps in flock(2); the first that has its lock reports that in a pipe.
 * Threads, since the kernel notes the process that takes a lock, and other daemons name it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "daemon/setup/turn.h"
#include "proto/base/log.h"

struct report {
	unsigned	index;
	int		error;		/* of flock; 0: it has the lock */
};

struct waiter {
	pthread_t	thread;
	struct report	report;
	int		fd;		/* to be locked */
	int		report_fd;	/* the pipe's writing end */
};

/*
 * flock alone can be cancelled, at any instant: nothing is lost then but the lock.  No variable of
 * this function has its address taken: ASan would take the stack of a cancelled thread for bad.
 */
static void *
await_lock(void *arg)
{
	struct waiter	*w = arg;

	(void)pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	while (flock(w->fd, LOCK_EX) != 0 && (w->report.error = errno) == EINTR)
		w->report.error = 0;
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	if (write(w->report_fd, &w->report, sizeof w->report) != (ssize_t)sizeof w->report)
		bug("a pipe with room for thousands takes no report");
	return NULL;
}

static unsigned
start_all(struct waiter *w, const int *fd, unsigned n, int report_fd)
{
	unsigned	i;

	for (i = 0; i < n; i++) {
		w[i] = (struct waiter){ .report.index = i, .fd = fd[i], .report_fd = report_fd };
		if (pthread_create(&w[i].thread, NULL, await_lock, &w[i]) != 0)
			break;
	}
	return i;
}

static void
stop_all(struct waiter *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		(void)pthread_cancel(w[i].thread);
	for (unsigned i = 0; i < n; i++)
		(void)pthread_join(w[i].thread, NULL);
}

static bool
has_ended(int fd)
{
	char	c;
	ssize_t	n = read(fd, &c, 1);

	return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

static enum status
first_report(int report_fd, int end_fd, unsigned *got, struct fault *why)
{
	struct pollfd	p[2] = { { .fd = report_fd, .events = POLLIN },
			    { .fd = end_fd, .events = POLLIN } };
	struct report	r;

	do {
		if (poll(p, 2, -1) < 0)
			p[0].revents = p[1].revents = 0;
		if (p[1].revents != 0 && has_ended(end_fd))
			return fault_set(why, ST_CANCELLED,
			    "the program that waited for this daemon has ended");
	} while (p[0].revents == 0);
	if (read(report_fd, &r, sizeof r) != (ssize_t)sizeof r || r.error != 0)
		return fault_set(why, ST_IO, "waiting for a timing CPU failed");
	*got = r.index;
	return ST_OK;
}

enum status
turn_await(const int *fd, unsigned n, int end_fd, unsigned *got, struct fault *why)
{
	struct waiter	*w = calloc(n, sizeof *w);
	enum status	 st;
	unsigned	 started;
	int		 report[2];

	if (w == NULL)
		return fault_set(why, ST_NOMEM, "waiting for a timing CPU");
	if (pipe2(report, O_CLOEXEC) != 0) {
		free(w);
		return fault_set(why, ST_IO, "pipe: %s", strerror(errno));
	}
	if ((started = start_all(w, fd, n, report[1])) == 0)
		st = fault_set(why, ST_NOMEM, "no thread can wait for a timing CPU");
	else
		st = first_report(report[0], end_fd, got, why);
	stop_all(w, started);
	(void)close(report[0]);
	(void)close(report[1]);
	free(w);
	return st;
}
