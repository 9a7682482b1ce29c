/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

/* A child in a group of its own would outlive its job: its end shows that it may not. */
double f(int n, double *y)
{
	int	status = 0;
	pid_t	pid = fork();

	if (pid == 0) {
		setsid();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		setsid();
	return y[0] = n;
}
