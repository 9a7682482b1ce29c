/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_PRIVATE_DAEMON_H
#define ASSAY_CLIENT_CONNECT_PRIVATE_DAEMON_H

#include <limits.h>
#include <sys/types.h>

#include "proto/base/fault.h"

/* A private daemon waits for a core; `reason` names the process that has it. */
typedef void	 private_daemon_waiting_fn(const char *reason);

enum private_kind {
	PRIVATE_TIMES,		/* it builds and times */
	PRIVATE_ANSWERS,	/* it answers questions about what is stored */
};

/*
 * A private assayd for one command.  Its socket is in a directory that only this user can enter.
 * Its state is where a daemon of this user keeps it, so that results stay.  It holds the reading
 * end of a pipe, and the writing end is ours: so it ends when we do, however that happens.
 */
struct private_daemon {
	enum private_kind	 kind;
	pid_t		 pid;		/* 0: none runs */
	int		 life_fd;	/* the writing end of that pipe */
	int		 log_fd;	/* a file in memory that has its log */
	const char	*images_dir;	/* borrowed; of checkpoint images; NULL: none */
	bool		 keeps_nothing;	/* another daemon has the state directory; ours is in dir */
	private_daemon_waiting_fn	*on_waiting;	/* borrowed; NULL: not wanted */
	char		 dir[64];	/* removed in the end; "" none */
	char		 socket[108];
};

/*
 * Returns when it listens.  While other daemons time on all cores, one that times waits, and
 * reports that.  ST_NOT_FOUND: there is no assayd; ST_UNAVAILABLE: it would not start, the hint is
 * its last line; ST_CANCELLED: Ctrl-C; ST_CONFLICT: another daemon has the state, and this one was
 * to answer.
 */
enum status	 private_daemon_start(struct private_daemon *, enum private_kind,
		    const char *images_dir, private_daemon_waiting_fn *, struct fault *);
/* The socket of the daemon that has this user's state directory; "": none has named it. */
void		 private_daemon_other(char path[PATH_MAX]);
/* Waits for its end; harmless if none runs. */
void		 private_daemon_stop(struct private_daemon *);
/* If it has died, the last line of its log becomes the hint. */
void		 private_daemon_put_log(struct private_daemon *, struct fault *);

#endif
