/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In the guest, for assayd and a builder of its: divides the cgroup it is started in, and builds in a cell of that.
 *
 *	build [as-user]		prints where it and a jail are, and for each "compiler" below the outcome and its words
 *	build fine|hog|forks	such a compiler: exits at once; takes more memory than a build may have, in pieces that each
 *				process may; starts processes until it is refused one, and says so
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/hold/delegation.h"
#include "worker/build/recipe/compile.h"
#include "worker/spawn/cell.h"

enum { USER = 65534, PIECE_BYTES = 32 << 20, PIECES = 6, MANY = 200, WALL_MS = 60000, LINE_BYTES = 256 };

#define SCRATCH	"/tmp/scratch"

static int
hog(void)
{
	for (int i = 0; i < PIECES; i++) {
		if (fork() == 0) {
			char	*at = mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			if (at == MAP_FAILED)
				_exit(1);
			memset(at, 1, PIECE_BYTES);
			_exit(pause());
		}
	}
	return pause();
}

static int
forks(void)
{
	for (int i = 0; i < MANY; i++) {
		pid_t	pid = fork();

		if (pid == 0)
			_exit(pause());
		if (pid == -1)
			return 1;
	}
	return 0;
}

static int
compiler(const char *what)
{
	return strcmp(what, "fine") == 0 ? 0 : strcmp(what, "hog") == 0 ? hog() : strcmp(what, "forks") == 0 ? forks() : 64;
}

/* The first line of a file, or "". */
static const char *
line_of(const char *path)
{
	static char	 text[LINE_BYTES];
	FILE		*f = fopen(path, "r");

	if (f == NULL || fgets(text, sizeof text, f) == NULL)
		text[0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (f != NULL)
		(void)fclose(f);
	return text;
}

static void
tell_jail(void)
{
	static const char *const	argv[] = { "/bin/sleep", "100", NULL };
	const struct jail_order		o = { .phase = JAIL_BUILD, .argv = argv, .dir = SCRATCH, .cpu = -1, .keep_fd = -1,
					    .output_fd = -1 };
	struct jailed			j;
	struct fault			why;
	char				path[32];

	if (jail_spawn(&j, &o, &why) != ST_OK) {
		(void)printf("jail: %s\n", why.text);
		return;
	}
	(void)snprintf(path, sizeof path, "/proc/%d/cgroup", (int)j.pid);
	(void)printf("jail: %s\n", line_of(path));
	(void)printf("namespaces: %s, limits: %s\n", jail_support()->namespaces ? "yes" : jail_support()->reason,
	    cell_limits() ? "cgroup" : "rlimit");
	jail_kill(&j);
}

static void
build(const char *what)
{
	const char *const	argv[] = { "/bin/build", what, NULL };
	const struct compile	order = { .phase = JAIL_BUILD, .argv = argv, .dir = SCRATCH, .cpu = -1, .wall_ms = WALL_MS };
	struct compiled		c;

	compile_run(&order, &c);
	(void)printf("%s: %s%s%s\n", what, status_word(c.status), c.words != NULL ? ", " : "", c.words != NULL ? c.words : "");
	free(c.words);
}

/* A process that came into the cell without a jail is gone after a build, too. */
static void
leave_one_behind(int procs_fd)
{
	pid_t	pid = fork();
	int	status;

	if (pid == 0) {
		(void)write(procs_fd, "0", 1);
		(void)kill(getpid(), SIGSTOP);
		_exit(0);
	}
	(void)waitpid(pid, &status, WUNTRACED);
	build("fine");
	(void)kill(pid, SIGCONT); /* lets it end of itself if it was not killed */
	(void)printf("left behind: %s\n",
	    waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) ? "killed" : "still there");
}

int
main(int argc, char **argv)
{
	const bool		as_user = argc == 2 && strcmp(argv[1], "as-user") == 0;
	struct hostfs		fs;
	struct delegation	d;
	struct fault		why;
	char			path[HOSTFS_PATH_BYTES + 32];

	if (argc == 2 && !as_user)
		return compiler(argv[1]);
	if ((mkdir(SCRATCH, 0755) != 0 && errno != EEXIST) || (as_user && chown(SCRATCH, USER, USER) != 0))
		return 1;
	/* dumpable again: who has changed its uid does not own its /proc/self, where a user namespace is set up */
	if (as_user && (setgid(USER) != 0 || setuid(USER) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0))
		return 1;
	if (hostfs_init(&fs, "") != 0 || delegation_open(&d, &fs, 2, &why) != ST_OK) {
		(void)printf("not divided: %s\n", why.text);
		return 1;
	}
	(void)printf("here: %s\n", line_of("/proc/self/cgroup"));
	jail_enter_cell(delegation_cell(&d, 1));
	tell_jail();
	build("fine");
	build("hog");
	build("forks");
	leave_one_behind(delegation_cell(&d, 1));
	(void)snprintf(path, sizeof path, "%s/build1/cgroup.procs", d.path);
	(void)printf("in the cell: \"%s\"\n", line_of(path));
	delegation_release(&d);
	(void)printf("back: %s\n", line_of("/proc/self/cgroup"));
	return 0;
}
