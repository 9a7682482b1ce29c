/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-notify: send one webhook and report how that went (daemon/notify/request.h).
 *
 * What comes back from the internet is parsed here, in a process without secrets, rights, files or
 * descriptors of the daemon, which ends after one request.
 */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/landlock.h>

#include <jansson.h>

#include "daemon/notify/program/send.h"
#include "daemon/notify/request.h"

enum { INPUT_BYTES = 64 << 10, CPU_S = 20, FILES = 64 };

/* It changes no file and starts no program from now on, if the kernel has Landlock. */
static void
deny_changes(void)
{
	const struct landlock_ruleset_attr	all = { .handled_access_fs =
	    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
	    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
	    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
	    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
	    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
	    LANDLOCK_ACCESS_FS_MAKE_SYM };
	int	rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);

	if (rules < 0)
		return;
	(void)syscall(SYS_landlock_restrict_self, rules, 0);
	(void)close(rules);
}

/* A parser that a peer has taken over is to find nothing to use. */
static void
give_up_rights(void)
{
	const struct rlimit	none = { 0, 0 }, cpu = { CPU_S, CPU_S }, files = { FILES, FILES };

	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	(void)setrlimit(RLIMIT_CORE, &none);
	(void)setrlimit(RLIMIT_FSIZE, &none);		/* it writes no file; a pipe is none */
	(void)setrlimit(RLIMIT_CPU, &cpu);
	(void)setrlimit(RLIMIT_NOFILE, &files);
	deny_changes();
}

static json_t *
read_request(void)
{
	static char	text[INPUT_BYTES];
	size_t		n = 0;
	ssize_t		got;

	while (n < sizeof text && (got = read(STDIN_FILENO, text + n, sizeof text - n)) > 0)
		n += (size_t)got;
	return json_loadb(text, n, 0, NULL);
}

static int
report(const struct notify_answer *a)
{
	json_t	*o = json_pack("{s:s, s:s}", "outcome", a->outcome, "reason", a->reason);
	int	 rc = o != NULL ? json_dumpf(o, stdout, JSON_COMPACT | JSON_ENSURE_ASCII) : -1;

	json_decref(o);
	return rc == 0 && fflush(stdout) == 0 ? 0 : 1;
}

int
main(void)
{
	struct notify_answer	 a = { NOTIFY_FAILED, "the request is malformed" };
	json_t			*request;
	int			 code;

	give_up_rights();
	request = read_request();
	if (json_is_object(request))
		notify_send(request, &a);
	code = report(&a);
	json_decref(request);
	return code;
}
