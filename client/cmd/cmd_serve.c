/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/connect/default_path.h"

enum { FLAG_BYTES = 32, OURS = 4 };	/* OURS: words in front of the user's */

/* The value of --NAME among assayd's flags, NULL: not given. */
static const char *
flag_value(int argc, char **argv, const char *name)
{
	size_t		 n = strlen(name);
	const char	*value = NULL;

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], name, n) != 0)
			continue;
		if (argv[i][n] == '=')
			value = argv[i] + n + 1;
		else if (argv[i][n] == '\0' && i + 1 < argc)
			value = argv[i + 1];
	}
	return value;
}

/*
 * This user's places, for root as well: assayd takes them for its defaults, below its flags and the
 * file of --config.
 */
static enum status
offer_places(const char *own_socket, bool state_is_given, struct fault *why)
{
	char	state[PATH_MAX];

	if (default_path_state(state)) {
		(void)setenv("STATE_DIRECTORY", state, 1);
	} else if (!state_is_given) {
		(void)fault_set(why, ST_NOT_FOUND, "this user has no home directory for results");
		fault_hint(why, "give another: --state DIRECTORY");
		return ST_NOT_FOUND;
	}
	if (own_socket[0] != '\0')
		(void)setenv("RUNTIME_DIRECTORY", dirname(strcpy(state, own_socket)), 1);
	return ST_OK;
}

/*
 * This process becomes assayd.  So a grandchild prints the address once assayd is ready, and ends
 * then, or with assayd.  Nothing waits for it.
 */
static int
spawn_herald(const char *socket_path)
{
	int	ready[2];
	char	text[256];
	ssize_t	n;
	pid_t	pid;

	if (pipe(ready) != 0)
		return -1;
	if ((pid = fork()) != 0) {
		(void)close(ready[0]);
		while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			continue;
		return ready[1];
	}
	(void)close(ready[1]);
	if (fork() != 0)
		_exit(0);
	if ((n = read(ready[0], text, sizeof text - 1)) > 0) {
		text[n] = '\0';
		if (socket_path != NULL)
			(void)fprintf(stderr, "assay: serving on %s; Ctrl-C ends it\n",
			    socket_path);
		else
			(void)fprintf(stderr, "assay: serving; Ctrl-C ends it\n");
		if (strncmp(text, "ready\nhttp ", 11) == 0)
			(void)fprintf(stderr, "assay: and on http://%s", text + 11);
	}
	_exit(0);
}

/* `socket_path` NULL: as the file of --config has it. */
static int
run_daemon(int argc, char **argv, const char *program, const char *socket_path, bool quiet)
{
	const char	**words = calloc((size_t)argc + OURS + 1, sizeof *words);
	char		  number[FLAG_BYTES];
	size_t		  n = 0;
	struct fault	  why;
	int		  fd = quiet ? -1 : spawn_herald(socket_path);

	if (words == NULL)
		return status_exit_code(ST_NOMEM);
	words[n++] = program;
	if (socket_path != NULL) {
		words[n++] = "--socket";
		words[n++] = socket_path;
	}
	if (fd >= 0) {
		(void)snprintf(number, sizeof number, "--ready-fd=%d", fd);
		words[n++] = number;
	}
	for (int i = 1; i < argc; i++)
		words[n++] = argv[i];
	(void)execv(program, (char *const *)(uintptr_t)words);
	(void)fault_set(&why, ST_IO, "%s: %s", program, strerror(errno));
	free(words);
	return cli_fail(&why);
}

int
cmd_serve(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	char		 program[PATH_MAX], own[PATH_MAX];
	const char	*socket_path = flag_value(argc, argv, "--socket");
	const char	*env = getenv("ASSAY_SOCKET");
	const bool	 has_file = flag_value(argc, argv, "--config") != NULL;
	struct fault	 why;

	if (cli->host != NULL)
		return cli_usage(self,
		    "serve: -H is for clients; HTTP is served with --http or --http-socket");
	if (socket_path == NULL)
		socket_path = cli->socket != NULL ? cli->socket :
		    env != NULL && env[0] != '\0' ? env : NULL;
	if (!default_path_own_socket(own) && socket_path == NULL && !has_file)
		return cli_usage(self, "serve: this user has no directory for a socket: give -s");
	if (default_path_program("assayd", program, &why) != ST_OK || offer_places(own,
	    has_file || flag_value(argc, argv, "--state") != NULL, &why) != ST_OK)
		return cli_fail(&why);
	return run_daemon(argc, argv, program, socket_path != NULL || has_file ? socket_path : own,
	    cli->quiet || flag_value(argc, argv, "--ready-fd") != NULL);
}
