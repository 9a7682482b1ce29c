/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/connect/default_path.h"
#include "client/connect/interrupt.h"
#include "client/connect/private_daemon.h"
#include "client/lib/conn.h"
#include "proto/base/clock.h"

enum { START_MS = 60000, STOP_MS = 10000, NUMBER_BYTES = 12, LOG_BYTES = 512, OPEN_DIRECTORIES = 16 };

/* Descriptors that the daemon gets, and our ends of them. */
struct pipes {
	int	ready[2], life[2];
};

static void
close_if_open(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

/* A directory with room for a socket's name, only ours. */
static enum status
make_directory(struct private_daemon *l, struct fault *why)
{
	const char	*run = getenv("XDG_RUNTIME_DIR");

	if (run != NULL && run[0] == '/' && strlen(run) < sizeof l->dir - 16) {
		(void)snprintf(l->dir, sizeof l->dir, "%s/assay-XXXXXX", run);
		if (mkdtemp(l->dir) != NULL)
			goto made;
	}
	(void)strcpy(l->dir, "/tmp/assay-XXXXXX");
	if (mkdtemp(l->dir) == NULL) {
		l->dir[0] = '\0';
		return fault_set(why, ST_IO, "/tmp: %s", strerror(errno));
	}
made:
	(void)snprintf(l->socket, sizeof l->socket, "%s/assay.sock", l->dir);
	return ST_OK;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	(void)remove(path);
	return 0;
}

/* ---- the child ---- */

/* Between fork and exec.  Its own session: Ctrl-C is for us, who tell it what to do. */
static void
become_daemon(const char *const *argv, int log_fd, struct pipes *p)
{
	int	null = open("/dev/null", O_RDWR);

	(void)setsid();
	(void)close(p->ready[0]);
	(void)close(p->life[1]);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(log_fd, 2) < 0 ||
	    fcntl(p->ready[1], F_SETFD, 0) != 0 || fcntl(p->life[0], F_SETFD, 0) != 0)
		_exit(status_exit_code(ST_IO));
	(void)execv(argv[0], (char *const *)(uintptr_t)argv);
	(void)dprintf(2, "%s: %s\n", argv[0], strerror(errno));
	_exit(status_exit_code(ST_IO));
}

static enum status
spawn(struct private_daemon *l, const char *program, struct pipes *p, struct fault *why)
{
	char		 state[PATH_MAX], ready[NUMBER_BYTES], life[NUMBER_BYTES];
	const char	*const argv[] = { program, "--socket", l->socket, "--ready-fd", ready, "--exit-with-fd", life,
			     "--log", "warn", "--state", state, l->images_dir != NULL ? "--images" : NULL,
			     l->images_dir, NULL };

	if (l->keeps_nothing)
		(void)snprintf(state, sizeof state, "%s/state", l->dir);
	else if (!default_path_state(state))
		return fault_set(why, ST_NOT_FOUND, "this user has no home directory to keep results in");
	(void)snprintf(ready, sizeof ready, "%d", p->ready[1]);
	(void)snprintf(life, sizeof life, "%d", p->life[0]);
	if ((l->pid = fork()) == 0)
		become_daemon(argv, l->log_fd, p);
	if (l->pid < 0) {
		l->pid = 0;
		return fault_set(why, ST_IO, "cannot start assayd: %s", strerror(errno));
	}
	return ST_OK;
}

/* ---- waiting ---- */

/* Until it has said that it is ready; end of file first: it has died. */
static enum status
await_ready(int fd, struct fault *why)
{
	int64_t		deadline_ms = conn_deadline_ms(START_MS);
	char		c = '\0';
	enum status	st;
	ssize_t		n;

	do {
		if ((st = conn_poll(fd, POLLIN, interrupt_fd(), deadline_ms)) != ST_OK)
			return fault_set(why, st, st == ST_CANCELLED ? "interrupted" :
			    "assayd is not ready after a minute");
		n = read(fd, &c, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1 ? ST_OK : fault_set(why, ST_UNAVAILABLE, "assayd would not start");
}

/* Wait for its end, at most so long; its exit code, -1: it still runs. */
static int
await_end(struct private_daemon *l, int timeout_ms)
{
	int64_t	deadline_ms = conn_deadline_ms(timeout_ms);
	int	status;

	while (waitpid(l->pid, &status, WNOHANG) == 0) {
		if (clock_now_ms() >= deadline_ms)
			return -1;
		(void)poll(NULL, 0, 2);
	}
	l->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The last line of its log, without the newline. */
static void
last_line(int log_fd, char line[LOG_BYTES])
{
	off_t	size = lseek(log_fd, 0, SEEK_END);
	ssize_t	n;
	char	*newline;

	line[0] = '\0';
	if (size <= 0 || (n = pread(log_fd, line, LOG_BYTES - 1, size > LOG_BYTES - 1 ? size - LOG_BYTES + 1 : 0)) <= 0)
		return;
	line[n] = '\0';
	if (line[n - 1] == '\n')
		line[n - 1] = '\0';
	if ((newline = strrchr(line, '\n')) != NULL)
		memmove(line, newline + 1, strlen(newline));
}

void
private_daemon_put_log(struct private_daemon *l, struct fault *why)
{
	char	line[LOG_BYTES];

	if (l->pid == 0 || await_end(l, 500) < 0)
		return;
	last_line(l->log_fd, line);
	if (line[0] != '\0')
		fault_hint(why, "assayd said: %s", line);
}

/* ---- the whole ---- */

static enum status
start_once(struct private_daemon *l, const char *program, int *exit_code, struct fault *why)
{
	struct pipes	p = { { -1, -1 }, { -1, -1 } };
	char		line[LOG_BYTES];
	enum status	st;

	*exit_code = 0;
	if (pipe2(p.ready, O_CLOEXEC) != 0 || pipe2(p.life, O_CLOEXEC) != 0)
		st = fault_set(why, ST_IO, "pipe: %s", strerror(errno));
	else
		st = spawn(l, program, &p, why);
	close_if_open(&p.ready[1]);
	close_if_open(&p.life[0]);
	if (st == ST_OK && (st = await_ready(p.ready[0], why)) == ST_UNAVAILABLE) {
		close_if_open(&p.life[1]);
		*exit_code = await_end(l, STOP_MS);
		last_line(l->log_fd, line);
		fault_hint(why, "%s", line);
	}
	close_if_open(&p.ready[0]);
	l->life_fd = p.life[1];
	return st;
}

enum status
private_daemon_start(struct private_daemon *l, const char *images_dir, struct fault *why)
{
	char		program[PATH_MAX];
	int		exit_code;
	enum status	st;

	memset(l, 0, sizeof *l);
	l->life_fd = l->log_fd = -1;
	l->images_dir = images_dir;
	if ((st = default_path_program("assayd", program, why)) != ST_OK || (st = make_directory(l, why)) != ST_OK)
		return st;
	if ((l->log_fd = memfd_create("assayd-log", MFD_CLOEXEC)) < 0) {
		st = fault_set(why, ST_IO, "log of assayd: %s", strerror(errno));
		goto fail;
	}
	st = start_once(l, program, &exit_code, why);
	if (st == ST_UNAVAILABLE && exit_code == status_exit_code(ST_CONFLICT)) {
		l->keeps_nothing = true;
		st = start_once(l, program, &exit_code, why);
	}
	if (st == ST_OK)
		return ST_OK;
fail:
	private_daemon_stop(l);
	return st;
}

void
private_daemon_stop(struct private_daemon *l)
{
	close_if_open(&l->life_fd);
	if (l->pid > 0 && await_end(l, STOP_MS) < 0) {
		(void)kill(l->pid, SIGTERM);
		if (await_end(l, STOP_MS) < 0) {
			(void)kill(l->pid, SIGKILL);
			(void)await_end(l, STOP_MS);
		}
	}
	close_if_open(&l->log_fd);
	if (l->dir[0] != '\0')
		(void)nftw(l->dir, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS);
	l->dir[0] = '\0';
}
