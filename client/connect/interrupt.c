/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "client/connect/interrupt.h"

static int			pipe_fd[2] = { -1, -1 };
static volatile sig_atomic_t	came;

static void
on_signal(int number)
{
	int	saved = errno;

	came = number;
	if (write(pipe_fd[1], "", 1) < 0)
		came = number;		/* all that can be done here */
	errno = saved;
}

int
interrupt_fd(void)
{
	static const int	signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction	act, old;

	if (pipe_fd[0] >= 0)
		return pipe_fd[0];
	if (pipe2(pipe_fd, O_CLOEXEC | O_NONBLOCK) != 0)
		return -1;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_signal;
	act.sa_flags = (int)SA_RESETHAND;
	for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++)
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &act, NULL);
	return pipe_fd[0];
}

int
interrupt_came(void)
{
	return came;
}
