/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay dial-stdio: the far end of assay -H ssh://HOST.  Bytes go between standard input and output
 * and the socket of this host's daemon, as they are.  No daemon is started.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/connect/client.h"
#include "client/connect/default_path.h"
#include "client/lib/dial.h"

enum { LANE_BYTES = 64 << 10 };

/* Bytes on their way from one descriptor to another. */
struct lane {
	int	from, to;
	size_t	begin, end;
	bool	is_over;	/* no more come */
	char	bytes[LANE_BYTES];
};

static bool
is_idle(const struct lane *l)
{
	return l->begin == l->end;
}

/* Full first, then empty: whoever does not read is waited for, and its end is always noticed. */
static void
lane_poll(const struct lane *l, struct pollfd *in, struct pollfd *out)
{
	*in = (struct pollfd){ .fd = is_idle(l) && !l->is_over ? l->from : -1, .events = POLLIN };
	*out = (struct pollfd){ .fd = l->to, .events = is_idle(l) ? 0 : POLLOUT };
}

/* -1: the descriptor that it goes to is closed. */
static int
lane_move(struct lane *l, const struct pollfd *in, const struct pollfd *out)
{
	ssize_t	n;

	if (in->fd >= 0 && in->revents != 0) {
		n = read(l->from, l->bytes, sizeof l->bytes);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
		l->begin = 0;
		l->end = n > 0 ? (size_t)n : 0;
		l->is_over = n <= 0;
	} else if (is_idle(l)) {
		return (out->revents & (POLLERR | POLLHUP)) != 0 ? -1 : 0;
	} else if (out->revents != 0) {
		n = write(l->to, l->bytes + l->begin, l->end - l->begin);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		l->begin += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Until the daemon has closed.  It answers what it got before this side was closed. */
static void
join(int fd)
{
	static struct lane	up, down;
	struct pollfd		p[4];
	bool			is_shut = false;

	up = (struct lane){ .from = STDIN_FILENO, .to = fd };
	down = (struct lane){ .from = fd, .to = STDOUT_FILENO };
	while (!down.is_over || !is_idle(&down)) {
		if (up.is_over && is_idle(&up) && !is_shut)
			is_shut = shutdown(fd, SHUT_WR) == 0 || errno == ENOTCONN;
		lane_poll(&up, &p[0], &p[1]);
		lane_poll(&down, &p[2], &p[3]);
		if (poll(p, 4, -1) < 0 && errno != EINTR)
			return;
		if (lane_move(&down, &p[2], &p[3]) != 0)
			return;
		if (lane_move(&up, &p[0], &p[1]) != 0)
			up.begin = up.end = 0;
	}
}

int
cmd_dial_stdio(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	char			path[PATH_MAX];
	struct cli_list		words;
	struct assay_error	e;
	struct fault		why;
	int			code = cli_parse(cli, self, NULL, argc, argv, &words), fd;

	if (code == CLI_GO_ON && (words.n != 0 || cli->host != NULL))
		code = cli_usage(self, "dial-stdio: takes no words, and no -H: it is the far end");
	cli_list_release(&words);
	if (code != CLI_GO_ON)
		return code;
	default_path_socket(path);
	if ((fd = dial_unix(cli->socket != NULL ? cli->socket : path, &e)) < 0) {
		(void)client_fault(&why, &e);
		return cli_fail(&why);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	join(fd);
	(void)close(fd);
	return 0;
}
