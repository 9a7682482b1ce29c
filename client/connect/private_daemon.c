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
#include "client/lib/await.h"
#include "proto/base/clock.h"

enum {
	START_MS = 60000, STOP_MS = 10000, LAST_WORDS_MS = 500,
	NUMBER_BYTES = 12, LOG_BYTES = 512, OPEN_DIRECTORIES = 16,
};

/* The daemon writes to `ready` when it listens, and ends at the end of `life`. */
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

/* A directory of ours alone, with a path that is short enough for a socket. */
static enum status
make_directory(struct private_daemon *d, struct fault *why)
{
	const char	*run = getenv("XDG_RUNTIME_DIR");

	if (run != NULL && run[0] == '/' && strlen(run) < sizeof d->dir - 16) {
		(void)snprintf(d->dir, sizeof d->dir, "%s/assay-XXXXXX", run);
		if (mkdtemp(d->dir) != NULL)
			goto made;
	}
	(void)strcpy(d->dir, "/tmp/assay-XXXXXX");
	if (mkdtemp(d->dir) == NULL) {
		d->dir[0] = '\0';
		return fault_set(why, ST_IO, "/tmp: %s", strerror(errno));
	}
made:
	(void)snprintf(d->socket, sizeof d->socket, "%s/assay.sock", d->dir);
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

/* Between fork and exec.  In a session of its own, Ctrl-C does not reach it. */
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
put_state_dir(const struct private_daemon *d, char path[PATH_MAX], struct fault *why)
{
	if (d->keeps_nothing)
		(void)snprintf(path, PATH_MAX, "%s/state", d->dir);
	else if (!default_path_state(path))
		return fault_set(why, ST_NOT_FOUND, "this user has no home directory for results");
	return ST_OK;
}

static enum status
spawn(struct private_daemon *d, const char *program, struct pipes *p, struct fault *why)
{
	char		 state[PATH_MAX], ready[NUMBER_BYTES], life[NUMBER_BYTES];
	const char	*const argv[] = {
		program, "--socket", d->socket, "--ready-fd", ready, "--exit-with-fd", life,
		"--log", "warn", "--state", state, "--timing-cpus",
		d->kind == PRIVATE_ANSWERS ? "free" : "next-free",
		d->kind == PRIVATE_ANSWERS ? "--answers-only" : d->images_dir != NULL ? "--images" :
		NULL, d->kind == PRIVATE_ANSWERS ? NULL : d->images_dir, NULL
	};
	enum status	 st;

	if ((st = put_state_dir(d, state, why)) != ST_OK)
		return st;
	(void)snprintf(ready, sizeof ready, "%d", p->ready[1]);
	(void)snprintf(life, sizeof life, "%d", p->life[0]);
	if ((d->pid = fork()) == 0) {
		/* a calibration takes seconds, and this state would not keep it */
		if (d->keeps_nothing)
			(void)setenv("ASSAY_CALIBRATION_WAIT", "0", 1);
		become_daemon(argv, d->log_fd, p);
	}
	if (d->pid < 0) {
		d->pid = 0;
		return fault_set(why, ST_IO, "cannot start assayd: %s", strerror(errno));
	}
	return ST_OK;
}

/* ---- waiting ---- */

/* One line, without the newline; what does not fit is dropped. */
static enum status
read_line(int fd, char line[LOG_BYTES], int64_t deadline_ms, struct fault *why)
{
	char		c = '\0';
	size_t		used = 0;
	enum status	st;
	ssize_t		n;

	for (;;) {
		if ((st = await_fd(fd, POLLIN, interrupt_fd(), deadline_ms)) != ST_OK)
			return fault_set(why, st, st == ST_CANCELLED ? "interrupted" :
			    "assayd is not ready after a minute");
		if ((n = read(fd, &c, 1)) < 0 && errno == EINTR)
			continue;
		if (n != 1)
			return fault_set(why, ST_UNAVAILABLE, "assayd would not start");
		if (c == '\n')
			break;
		if (used < LOG_BYTES - 1)
			line[used++] = c;
	}
	line[used] = '\0';
	return ST_OK;
}

/* Until it reports that it is ready; end of file first: it has died. */
static enum status
await_ready(const struct private_daemon *d, int fd, struct fault *why)
{
	static const char	waiting[] = "waiting ";
	int64_t			deadline_ms = await_deadline_ms(START_MS);
	char			line[LOG_BYTES];
	enum status		st;

	while ((st = read_line(fd, line, deadline_ms, why)) == ST_OK) {
		if (strcmp(line, "ready") == 0)
			break;
		deadline_ms = await_deadline_ms(START_MS);
		if (strncmp(line, waiting, sizeof waiting - 1) == 0) {
			deadline_ms = await_deadline_ms(-1);
			if (d->on_waiting != NULL)
				d->on_waiting(line + sizeof waiting - 1);
		}
	}
	return st;
}

/* Its exit code; -1: it still runs. */
static int
await_end(struct private_daemon *d, int timeout_ms)
{
	int64_t	deadline_ms = await_deadline_ms(timeout_ms);
	int	status = 0;

	while (waitpid(d->pid, &status, WNOHANG) == 0) {
		if (clock_now_ms() >= deadline_ms)
			return -1;
		(void)poll(NULL, 0, 2);
	}
	d->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The last line of its log, without the newline; "" for an empty log. */
static void
last_line(int log_fd, char line[LOG_BYTES])
{
	off_t	size = lseek(log_fd, 0, SEEK_END), from = 0;
	ssize_t	n;
	char	*newline;

	line[0] = '\0';
	if (size > LOG_BYTES - 1)
		from = size - (LOG_BYTES - 1);
	if (size <= 0 || (n = pread(log_fd, line, LOG_BYTES - 1, from)) <= 0)
		return;
	line[n] = '\0';
	if (line[n - 1] == '\n')
		line[n - 1] = '\0';
	if ((newline = strrchr(line, '\n')) != NULL)
		memmove(line, newline + 1, strlen(newline));
}

void
private_daemon_put_log(struct private_daemon *d, struct fault *why)
{
	char	line[LOG_BYTES];

	if (d->pid == 0 || await_end(d, LAST_WORDS_MS) < 0)
		return;
	last_line(d->log_fd, line);
	if (line[0] != '\0')
		fault_hint(why, "the last line of its log: %s", line);
}

/* ---- the whole ---- */

static enum status
start_once(struct private_daemon *d, const char *program, int *exit_code, struct fault *why)
{
	struct pipes	p = { { -1, -1 }, { -1, -1 } };
	char		line[LOG_BYTES];
	enum status	st;

	*exit_code = 0;
	if (pipe2(p.ready, O_CLOEXEC) != 0 || pipe2(p.life, O_CLOEXEC) != 0)
		st = fault_set(why, ST_IO, "pipe: %s", strerror(errno));
	else
		st = spawn(d, program, &p, why);
	close_if_open(&p.ready[1]);
	close_if_open(&p.life[0]);
	if (st == ST_OK && (st = await_ready(d, p.ready[0], why)) == ST_UNAVAILABLE) {
		close_if_open(&p.life[1]);
		*exit_code = await_end(d, STOP_MS);
		last_line(d->log_fd, line);
		fault_hint(why, "%s", line);
	}
	close_if_open(&p.ready[0]);
	d->life_fd = p.life[1];
	return st;
}

/* With this user's state directory or, if that is in use, with a temporary one. */
static enum status
start(struct private_daemon *d, const char *program, struct fault *why)
{
	int		exit_code;
	enum status	st;

	if ((d->log_fd = memfd_create("assayd-log", MFD_CLOEXEC)) < 0)
		return fault_set(why, ST_IO, "log of assayd: %s", strerror(errno));
	st = start_once(d, program, &exit_code, why);
	if (st != ST_UNAVAILABLE || exit_code != status_exit_code(ST_CONFLICT))
		return st;
	if (d->kind == PRIVATE_ANSWERS)
		return fault_set(why, ST_CONFLICT, "another daemon has the results");
	d->keeps_nothing = true;
	return start_once(d, program, &exit_code, why);
}

enum status
private_daemon_start(struct private_daemon *d, enum private_kind kind, const char *images_dir,
    private_daemon_waiting_fn *on_waiting, struct fault *why)
{
	char		program[PATH_MAX];
	enum status	st;

	memset(d, 0, sizeof *d);
	d->life_fd = d->log_fd = -1;
	d->kind = kind;
	d->images_dir = images_dir;
	d->on_waiting = on_waiting;
	if ((st = default_path_program("assayd", program, why)) != ST_OK ||
	    (st = make_directory(d, why)) != ST_OK)
		return st;
	if ((st = start(d, program, why)) != ST_OK)
		private_daemon_stop(d);
	return st;
}

/* daemon/setup/state_lock.h writes this file. */
void
private_daemon_other(char path[PATH_MAX])
{
	char	 dir[PATH_MAX], lock[PATH_MAX + 8];
	FILE	*f;

	path[0] = '\0';
	if (!default_path_state(dir))
		return;
	(void)snprintf(lock, sizeof lock, "%s/lock", dir);
	if ((f = fopen(lock, "re")) == NULL)
		return;
	if (fgets(path, PATH_MAX, f) == NULL)
		path[0] = '\0';
	path[strcspn(path, "\n")] = '\0';
	(void)fclose(f);
}

void
private_daemon_stop(struct private_daemon *d)
{
	close_if_open(&d->life_fd);
	if (d->pid > 0 && await_end(d, STOP_MS) < 0) {
		(void)kill(d->pid, SIGTERM);
		if (await_end(d, STOP_MS) < 0) {
			(void)kill(d->pid, SIGKILL);
			(void)await_end(d, STOP_MS);
		}
	}
	close_if_open(&d->log_fd);
	if (d->dir[0] != '\0')
		(void)nftw(d->dir, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS);
	d->dir[0] = '\0';
}
