/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Around the assembler.  Directives that open files are refused where a description is read; this
 * is the second lock, for the day that one is overlooked.  Kernels differ in what they know, so
 * the constants are our own.
 */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/micro/decode/confine.h"

enum { GET_VERSION = 1, PATH_BENEATH = 1 };

#define FS_ALL	((UINT64_C(1) << 13) - 1)	/* the first version's */
#define READ	(UINT64_C(1) << 0 | UINT64_C(1) << 2 | UINT64_C(1) << 3)	/* execute, too */

struct beneath {
	uint64_t	allowed;
	int32_t		fd;
} __attribute__((packed));

static void
limit(int what, rlim_t most)
{
	const struct rlimit	l = { most, most };

	(void)setrlimit(what, &l);
}

/* A folder that is not there needs no rule. */
static void
allow(int rules, const char *folder)
{
	struct beneath	b = { .allowed = READ, .fd = open(folder, O_PATH | O_CLOEXEC) };

	if (b.fd < 0)
		return;
	(void)syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &b, 0);
	(void)close(b.fd);
}

/* The folder that it would be run from, without links; false: there is none. */
static bool
folder_of(const char *program, char to[PATH_MAX])
{
	const char	*at = getenv("PATH");
	char		 path[PATH_MAX], *slash;

	for (size_t n; at != NULL && *at != '\0'; at += n + (at[n] == ':')) {
		n = strcspn(at, ":");
		if (snprintf(path, sizeof path, "%.*s/%s", (int)n, at, program) >=
		    (int)sizeof path || access(path, X_OK) != 0 || realpath(path, to) == NULL)
			continue;
		if ((slash = strrchr(to, '/')) != NULL && slash != to)
			*slash = '\0';
		return true;
	}
	return false;
}

/* Binutils keep their library beside their programs, wherever they were unpacked. */
static void
allow_program(int rules, const char *program)
{
	char	folder[PATH_MAX], libraries[PATH_MAX + 8];

	if (!folder_of(program, folder))
		return;
	(void)snprintf(libraries, sizeof libraries, "%s/../lib", folder);
	allow(rules, folder);
	allow(rules, libraries);
}

static void
allow_files(const char *program)
{
	static const char *const	shown[] = { "/usr", "/bin", "/lib", "/lib32", "/lib64",
					    "/libx32", "/nix/store", "/gnu/store" };
	const uint64_t			handled = FS_ALL;
	const long			version = syscall(SYS_landlock_create_ruleset, NULL, 0,
					    GET_VERSION);
	const int			rules = version < 1 ? -1 : (int)syscall(
					    SYS_landlock_create_ruleset, &handled, sizeof handled,
					    0);

	if (rules < 0)
		return;
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		allow(rules, shown[i]);
	allow_program(rules, program);
	(void)syscall(SYS_landlock_restrict_self, rules, 0);
	(void)close(rules);
}

bool
confine(pid_t parent, const char *program)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		return false;
	limit(RLIMIT_FSIZE, (rlim_t)CONFINE_OBJECT_MIB << 20);
	limit(RLIMIT_AS, (rlim_t)CONFINE_MEMORY_MIB << 20);
	limit(RLIMIT_CORE, 0);
	(void)alarm(CONFINE_SECONDS);		/* lives on in the program */
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	allow_files(program);
	return true;
}
