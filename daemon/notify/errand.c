/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "daemon/notify/errand.h"

enum { READ_END, WRITE_END };

struct errand {
	pid_t		 pid;			/* 0: reaped */
	int		 output_fd;		/* owned; -1: closed */
	/* owned; the last but one NULL once its end was read */
	struct event	*sigchld, *readable, *limit;
	bool		 timed_out;
	char		 output[ERRAND_OUTPUT_BYTES + 1];
	size_t		 bytes;
	errand_done_fn	*done;
	void		*arg;
};

static void
drop(struct event *e)
{
	if (e != NULL)
		event_free(e);
}

/* Its group outlives it, if it has left processes there. */
static void
kill_group(const struct errand *e)
{
	if (e->pid != 0)
		(void)kill(-e->pid, SIGKILL);
}

void
errand_free(struct errand *e)
{
	if (e == NULL)
		return;
	kill_group(e);
	if (e->pid != 0)
		(void)waitpid(e->pid, NULL, 0);
	drop(e->sigchld);
	drop(e->readable);
	drop(e->limit);
	if (e->output_fd >= 0)
		(void)close(e->output_fd);
	free(e);
}

/* false: there is no more for now, or ever. */
static bool
read_some(struct errand *e)
{
	char	piece[4096];
	ssize_t	n = read(e->output_fd, piece, sizeof piece);
	size_t	room = ERRAND_OUTPUT_BYTES - e->bytes, kept;

	if (n == 0) {
		drop(e->readable);
		e->readable = NULL;
	}
	if (n <= 0)
		return false;
	kept = (size_t)n < room ? (size_t)n : room;
	memcpy(e->output + e->bytes, piece, kept);
	e->bytes += kept;
	return true;
}

static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)read_some(arg);
}

static void
on_limit(evutil_socket_t fd, short what, void *arg)
{
	struct errand	*e = arg;

	(void)fd;
	(void)what;
	e->timed_out = true;
	kill_group(e);
}

/* What it wrote is in the pipe; what others write there later is not waited for. */
static void
on_sigchld(evutil_socket_t number, short what, void *arg)
{
	struct errand	*e = arg;
	siginfo_t	 ended = { 0 };
	int		 wait_status;

	(void)number;
	(void)what;
	if (waitid(P_PID, (id_t)e->pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    ended.si_pid != e->pid)
		return;
	kill_group(e);			/* before the number can be another's */
	(void)waitpid(e->pid, &wait_status, 0);
	e->pid = 0;
	for (unsigned i = 0; i < 64 && e->readable != NULL && read_some(e); i++)
		;
	e->output[e->bytes] = '\0';
	e->done(e->arg, wait_status, e->timed_out, e->output);
	errand_free(e);
}

/* ---- the start ---- */

static int
spawn(pid_t *pid, const char *const *argv, const char *const *environment, int input, int output)
{
	posix_spawn_file_actions_t	 files;
	posix_spawnattr_t		 attr;
	sigset_t			 all, none;
	int				 rc;

	(void)sigfillset(&all);
	(void)sigemptyset(&none);
	(void)posix_spawn_file_actions_init(&files);
	(void)posix_spawnattr_init(&attr);
	rc = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	rc |= posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	rc |= posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
	rc |= posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
	rc |= posix_spawn_file_actions_addchdir_np(&files, "/");
	rc |= posix_spawnattr_setsigdefault(&attr, &all);
	rc |= posix_spawnattr_setsigmask(&attr, &none);
	rc |= posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	if (rc == 0)
		rc = posix_spawn(pid, argv[0], &files, &attr, (char *const *)(uintptr_t)argv,
		    (char *const *)(uintptr_t)environment);
	(void)posix_spawn_file_actions_destroy(&files);
	(void)posix_spawnattr_destroy(&attr);
	return rc;
}

/*
 * A pipe holds it whole: nothing waits for the program to read.  Where the kernel has made pipes
 * small, because there are many, a long input is no errand for now.
 */
static int
fill_pipe(int pipe[2], const char *input)
{
	const size_t	n = strlen(input);

	if (pipe2(pipe, O_CLOEXEC) != 0)
		return errno;
	(void)fcntl(pipe[WRITE_END], F_SETFL, O_NONBLOCK);
	if (write(pipe[WRITE_END], input, n) == (ssize_t)n)
		return 0;
	(void)close(pipe[READ_END]);
	(void)close(pipe[WRITE_END]);
	return EIO;
}

static int
spawn_with_pipes(struct errand *e, const char *const *argv, const char *const *environment,
    const char *input)
{
	int	in[2], out[2], rc = fill_pipe(in, input);

	if (rc != 0)
		return rc;
	if (pipe2(out, O_CLOEXEC) != 0) {
		rc = errno;
	} else {
		rc = spawn(&e->pid, argv, environment, in[READ_END], out[WRITE_END]);
		(void)close(out[WRITE_END]);
		e->output_fd = out[READ_END];
		(void)fcntl(e->output_fd, F_SETFL, O_NONBLOCK);
	}
	(void)close(in[READ_END]);
	(void)close(in[WRITE_END]);
	if (rc != 0)
		e->pid = 0;
	return rc;
}

static bool
add_events(struct errand *e, struct event_base *base, unsigned limit_ms)
{
	const struct timeval	limit = { limit_ms / 1000, limit_ms % 1000 * 1000 };

	e->sigchld = evsignal_new(base, SIGCHLD, on_sigchld, e);
	e->readable = event_new(base, e->output_fd, EV_READ | EV_PERSIST, on_readable, e);
	e->limit = evtimer_new(base, on_limit, e);
	return e->sigchld != NULL && e->readable != NULL && e->limit != NULL &&
	    event_add(e->sigchld, NULL) == 0 && event_add(e->readable, NULL) == 0 &&
	    event_add(e->limit, &limit) == 0;
}

enum status
errand_start(struct errand **out, struct event_base *base, const char *const *argv,
    const char *const *environment, const char *input, unsigned limit_ms, errand_done_fn *done,
    void *arg, struct fault *why)
{
	struct errand	*e = calloc(1, sizeof *e);
	int		 rc;

	*out = NULL;
	if (e == NULL)
		return fault_set(why, ST_NOMEM, "errand");
	e->output_fd = -1;
	e->done = done;
	e->arg = arg;
	if (strlen(input) > ERRAND_INPUT_BYTES) {
		errand_free(e);
		return fault_set(why, ST_BAD_REQUEST, "%s: its input is too long", argv[0]);
	}
	if ((rc = spawn_with_pipes(e, argv, environment, input)) != 0) {
		errand_free(e);
		return fault_set(why, ST_IO, "cannot start %s: %s", argv[0], strerror(rc));
	}
	if (!add_events(e, base, limit_ms)) {
		errand_free(e);
		return fault_set(why, ST_NOMEM, "errand");
	}
	/* it may have ended before the signal was watched */
	event_active(e->sigchld, EV_SIGNAL, 1);
	*out = e;
	return ST_OK;
}
