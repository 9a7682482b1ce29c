/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/lib/dial.h"
#include "client/lib/problem.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/base/version.h"

enum { ENDS_MS = 2000, COMMAND_BYTES = 4 * ADDRESS_SOCKET_BYTES + 64, MAX_WORDS = 24 };

extern char	**environ;

/* ---- a Unix socket ---- */

/*
 * A socket that may not be connected to: is there a daemon behind it?  The kernel's list has the
 * path of each socket, last in its line.
 */
static bool
is_alive(const char *path)
{
	FILE	*list = fopen("/proc/net/unix", "re");
	char	 line[512];
	bool	 alive = list == NULL;

	while (!alive && fgets(line, sizeof line, list) != NULL) {
		const char	*at = strchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		alive = at != NULL && strcmp(at, path) == 0;
	}
	if (list != NULL)
		(void)fclose(list);
	return alive;
}

static int
unix_failed(const char *path, int error, struct assay_error *why)
{
	if ((error == EACCES || error == EPERM) && is_alive(path)) {
		(void)problem(why, "denied", "%s: %s", path, strerror(error));
		return problem_hint(why, "this daemon belongs to another user; start your own "
		    "with: assay serve");
	}
	(void)problem(why, "unavailable", "no daemon listens on %s (%s)", path, strerror(error));
	return problem_hint(why, "start one with: assay serve");
}

int
dial_unix(const char *path, struct assay_error *why)
{
	struct sockaddr_un	sa = { .sun_family = AF_UNIX };
	int			fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	if (strlen(path) < sizeof sa.sun_path)
		(void)strcpy(sa.sun_path, path);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&sa, sizeof sa) == 0 &&
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0)
		return fd;
	error = errno;
	if (fd >= 0)
		(void)close(fd);
	return unix_failed(path, error, why);
}

/* ---- ssh ---- */

/* For a shell: 'it'\''s' */
static void
quote(const char *text, char *buf)
{
	*buf++ = '\'';
	for (; *text != '\0'; text++) {
		if (*text == '\'') {
			memcpy(buf, "'\\''", 4);
			buf += 4;
		} else {
			*buf++ = *text;
		}
	}
	*buf++ = '\'';
	*buf = '\0';
}

/* A network that is gone is noticed after a minute; nothing is asked, since nobody may be there. */
static void
make_words(const struct address *a, char command[COMMAND_BYTES], const char *words[MAX_WORDS])
{
	static const char *const	fixed[] = {
		"ssh", "-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", "-o",
		"ServerAliveCountMax=4",
	};
	unsigned			n;

	for (n = 0; n < sizeof fixed / sizeof fixed[0]; n++)
		words[n] = fixed[n];
	if (a->port[0] != '\0') {
		words[n++] = "-p";
		words[n++] = a->port;
	}
	if (a->user[0] != '\0') {
		words[n++] = "-l";
		words[n++] = a->user;
	}
	(void)strcpy(command, "assay dial-stdio");
	if (a->path[0] != '\0') {
		(void)strcat(command, " --socket ");
		quote(a->path, command + strlen(command));
	}
	words[n++] = "--";
	words[n++] = a->host;
	words[n++] = command;
	words[n] = NULL;
}

/* In a session of its own, Ctrl-C does not reach it: jobs can still be cancelled through it. */
static int
spawn_ssh(const char *const *words, int fd, pid_t *pid)
{
	posix_spawn_file_actions_t	 files;
	posix_spawnattr_t		 how;
	sigset_t			 none, usual;
	int				 error;

	(void)sigemptyset(&none);
	(void)sigemptyset(&usual);
	(void)sigaddset(&usual, SIGPIPE);
	(void)sigaddset(&usual, SIGCHLD);
	(void)posix_spawn_file_actions_init(&files);
	(void)posix_spawn_file_actions_adddup2(&files, fd, 0);
	(void)posix_spawn_file_actions_adddup2(&files, fd, 1);
	(void)posix_spawnattr_init(&how);
	(void)posix_spawnattr_setsigmask(&how, &none);
	(void)posix_spawnattr_setsigdefault(&how, &usual);
	(void)posix_spawnattr_setflags(&how, (short)(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
	    POSIX_SPAWN_SETSIGDEF));
	error = posix_spawnp(pid, words[0], &files, &how, (char *const *)(uintptr_t)words, environ);
	(void)posix_spawnattr_destroy(&how);
	(void)posix_spawn_file_actions_destroy(&files);
	return error;
}

int
dial_ssh(const struct address *a, pid_t *pid, struct assay_error *why)
{
	char		 command[COMMAND_BYTES];
	const char	*words[MAX_WORDS];
	int		 fd[2], error;

	*pid = 0;
	make_words(a, command, words);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return problem(why, "io", "a stream to ssh: %s", strerror(errno));
	error = spawn_ssh(words, fd[1], pid);
	(void)close(fd[1]);
	if (error == 0 && fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0)
		return fd[0];
	(void)close(fd[0]);
	*pid = error == 0 ? *pid : 0;
	dial_end_ssh(pid);
	(void)problem(why, "not_found", "ssh cannot be started: %s", strerror(error));
	return problem_hint(why, "install ssh (Debian: openssh-client)");
}

void
dial_end_ssh(pid_t *pid)
{
	if (*pid <= 0)
		return;
	(void)kill(*pid, SIGTERM);
	while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	*pid = 0;
}

/* How it ended by itself: its exit code; -1: it has not, or by a signal. */
static int
exit_code(pid_t *pid)
{
	const int64_t	deadline_ms = clock_now_ms() + ENDS_MS;
	int		status;
	pid_t		got;

	if (*pid <= 0)
		return -1;
	while ((got = waitpid(*pid, &status, WNOHANG)) == 0 && clock_now_ms() < deadline_ms)
		(void)poll(NULL, 0, 5);
	if (got != *pid)
		return -1;
	*pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* As ssh(1) takes it, for a person to try. */
static void
put_words(const struct address *a, char *buf, size_t bytes)
{
	(void)snprintf(buf, bytes, "%s%s%s%s%s", a->user, a->user[0] != '\0' ? "@" : "", a->host,
	    a->port[0] != '\0' ? " -p " : "", a->port);
}

/* ssh passes the remote command's code on: 127 is the shell's, 255 its own. */
int
dial_explain_ssh(const struct address *a, pid_t *pid, struct assay_error *why)
{
	const int	code = exit_code(pid);
	char		destination[sizeof a->user + sizeof a->host + sizeof a->port + 8];

	dial_end_ssh(pid);
	put_words(a, destination, sizeof destination);
	if (code == 255) {
		(void)problem(why, "unavailable", "ssh has no connection to %s", a->host);
		return problem_hint(why, "its words are above. It must get in without a question: "
		    "accept a new host's key once by hand, then try: ssh -o BatchMode=yes %s true",
		    destination);
	}
	if (code == 127 || code == 126) {
		(void)problem(why, "unavailable", "%s has no program assay that ssh finds",
		    a->host);
		return problem_hint(why, "install Assay there, or put it on the PATH of commands; "
		    "to see it: ssh %s 'echo $PATH'", destination);
	}
	if (code == status_exit_code(ST_BAD_REQUEST)) {
		(void)problem(why, "unavailable", "the assay of %s cannot be dialled: it is of "
		    "another version", a->host);
		return problem_hint(why, "install version %s there", ASSAY_VERSION);
	}
	if (code == status_exit_code(ST_UNAVAILABLE) || code == status_exit_code(ST_DENIED)) {
		(void)problem(why, code == status_exit_code(ST_DENIED) ? "denied" : "unavailable",
		    "on %s no daemon can be reached", a->host);
		return problem_hint(why, "start one there: assay serve; or name the socket of one: "
		    "ssh://%.80s/PATH", a->host);
	}
	(void)problem(why, "unavailable", "the connection to %s has ended", a->host);
	return problem_hint(why, "the daemon keeps the jobs that it had acknowledged; to see "
	    "whether it runs: assay -H ssh://%.80s queue", a->host);
}
