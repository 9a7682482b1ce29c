/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a jail costs: the time in ns from ordering one to main() of a program in it, one line each:
 * "build N" and "time N" for the two kinds of jail, "bare N" for the same program without one.
 *
 *	jail_cost ROUNDS
 *
 * The program is this one again: told nothing, it prints what time it is.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "worker/spawn/spawn.h"

enum { PAUSE_US = 5000 };		/* jobs do not come at once */

static char			 self[4096];
static const char *const	 program[] = { self, NULL };

static long long
now_ns(void)
{
	struct timespec	t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static bool
run_jailed(enum jail_phase phase, const char *dir, int output_fd)
{
	const struct jail_order	o = { .phase = phase, .argv = program, .dir = dir, .cpu = -1,
				    .keep_fd = -1, .output_fd = output_fd, .memory_bytes = 1u << 30,
				    .file_bytes = 64 << 20 };
	struct jailed		j;
	struct jail_end		end;
	struct fault		why;

	return jail_spawn(&j, &o, &why) == ST_OK && jail_wait(&j, -1, &end) && !end.setup_failed &&
	    end.code == 0;
}

static bool
run_build(const char *dir, int output_fd)
{
	return run_jailed(JAIL_BUILD, dir, output_fd);
}

static bool
run_time(const char *dir, int output_fd)
{
	return run_jailed(JAIL_TIME, dir, output_fd);
}

static bool
run_bare(const char *dir, int output_fd)
{
	posix_spawn_file_actions_t	output;
	char				*env[] = { NULL };
	pid_t				 pid;
	int				 status;

	(void)dir;
	(void)posix_spawn_file_actions_init(&output);
	(void)posix_spawn_file_actions_adddup2(&output, output_fd, STDOUT_FILENO);
	status = posix_spawn(&pid, self, &output, NULL, (char *const *)program, env);
	(void)posix_spawn_file_actions_destroy(&output);
	return status == 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static const struct {
	const char	*name;
	bool		(*run)(const char *dir, int output_fd);
} kinds[] = { { "build", run_build }, { "time", run_time }, { "bare", run_bare } };

static bool
one_round(const char *dir)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const int	output_fd = memfd_create("output", MFD_CLOEXEC);
		const long long	ordered_ns = now_ns();
		long long	started_ns = 0;
		const bool	done = kinds[i].run(dir, output_fd) &&
		    pread(output_fd, &started_ns, sizeof started_ns, 0) == sizeof started_ns;

		(void)close(output_fd);
		if (!done)
			return false;
		(void)printf("%s %lld\n", kinds[i].name, started_ns - ordered_ns);
		(void)usleep(PAUSE_US);
	}
	return true;
}

static int
tell_time(void)
{
	const long long	now = now_ns();

	return write(STDOUT_FILENO, &now, sizeof now) != sizeof now;
}

int
main(int argc, char **argv)
{
	char	dir[] = "/tmp/assay-jail-cost-XXXXXX";
	int	rounds = argc == 2 ? atoi(argv[1]) : 0;
	bool	done;

	if (rounds <= 0)
		return tell_time();
	jail_leave_network();			/* as a worker does */
	done = readlink("/proc/self/exe", self, sizeof self - 1) > 0 && mkdtemp(dir) != NULL &&
	    chmod(dir, 0755) == 0 && jail_support()->works;
	for (int i = 0; done && i < rounds; i++)
		done = one_round(dir);
	(void)rmdir(dir);
	return done ? 0 : 1;
}
