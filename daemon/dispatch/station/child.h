/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_STATION_CHILD_H
#define ASSAY_DAEMON_DISPATCH_STATION_CHILD_H

#include <sys/types.h>

#include "proto/wire/msg.h"

/*
 * Worker processes: start one, exchange messages with it, and get its end reported exactly once.
 *
 * A child has one descriptor of the daemon, 3, a stream socket.  Closing it means stop.  A child is
 * over after EOF on its socket and its status from waitpid(), in either order.  Acting on the first
 * alone would lose its last message or its exit status.
 *
 * Neither may be late.  A descendant may hold the socket of a child that is over: what the child
 * had sent is taken, and no more is read.  A child that closed its socket and goes on is killed
 * after CHILD_DEAF_S.  Of a child that was killed nothing more is read.
 */
enum { CHILD_DEAF_S = 5 };
struct event_base;
struct child;
struct child_pool;

struct child_events {
	/* *msg is released after the call. */
	void	(*on_message)(void *arg, struct child *, struct msg *);
	/* The child is freed after the call. */
	void	(*on_end)(void *arg, struct child *, int wait_status);
};

enum status	 child_pool_new(struct child_pool **, struct event_base *, struct fault *);
/* Stops all, at last by force; no callbacks. */
void		 child_pool_free(struct child_pool *);

struct event_base *child_pool_base(const struct child_pool *);	/* borrowed */

/* argv[0] is an absolute path. pass_fd becomes the child's descriptor CHILD_PASSED_FD; -1: none. */
enum { CHILD_PASSED_FD = 4 };
enum status	 child_start_with(struct child_pool *, struct child **,
		    const char *const *argv, int pass_fd, const struct child_events *, void *arg,
		    struct fault *);
enum status	 child_start(struct child_pool *, struct child **, const char *const *argv,
		    const struct child_events *, void *arg, struct fault *);
enum status	 child_send(struct child *, const struct msg *, struct fault *);
/* For a reason; its end is reported as usual. */
enum child_kill { KILL_MALFORMED, KILL_STUCK, KILL_MUTE, KILL_DEAF, KILL_DONE, KILL_N };
void		 child_kill(struct child *, enum child_kill);
const char	*child_kill_word(enum child_kill);
/* Since the pool began, by reason; a child counts once. */
uint64_t	 child_pool_kills(const struct child_pool *, enum child_kill);
pid_t		 child_pid(const struct child *);

#endif
