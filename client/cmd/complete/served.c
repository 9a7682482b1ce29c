/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/cmd/complete/served.h"
#include "client/connect/default_path.h"

/* Columns of settings_print: "  --NAME          ARGUMENT   TEXT", wider where a word is. */
enum { INDENT = 4, NAME_WIDTH = 13, ARGUMENT_WIDTH = 10 };

/* The output of PROGRAM --help goes to `out`. */
static int
spawn_help(const char *program, int out, pid_t *pid)
{
	const char			*words[] = { program, "--help", NULL };
	posix_spawn_file_actions_t	 files;
	int				 error;

	(void)posix_spawn_file_actions_init(&files);
	(void)posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	error = posix_spawn(pid, program, &files, NULL, (char *const *)(uintptr_t)words, environ);
	(void)posix_spawn_file_actions_destroy(&files);
	return error;
}

static void
read_all(int fd, char *text, size_t room)
{
	size_t	n = 0;
	ssize_t	got;

	while (n + 1 < room && ((got = read(fd, text + n, room - 1 - n)) > 0 ||
	    (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	text[n] = '\0';
}

static void
read_help(struct served *s)
{
	char		program[PATH_MAX];
	struct fault	why;
	pid_t		pid;
	int		ends[2];

	s->help[0] = '\0';
	if (default_path_program("assayd", program, &why) != ST_OK || pipe2(ends, O_CLOEXEC) != 0)
		return;
	if (spawn_help(program, ends[1], &pid) == 0) {
		(void)close(ends[1]);
		ends[1] = -1;
		read_all(ends[0], s->help, sizeof s->help);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	(void)close(ends[0]);
	if (ends[1] >= 0)
		(void)close(ends[1]);
}

/* A column that begins here, ended by '\0'; `at` gets the next one. */
static char *
take_column(char **at, size_t width)
{
	char	*column = *at;
	size_t	 n = strcspn(column, " "), all = n > width ? n : width;

	*at += strnlen(column, all + 1);
	column[n] = '\0';
	return column;
}

static struct cli_option
option_of(char *line)
{
	char	*at = line + INDENT, *name = take_column(&at, NAME_WIDTH);
	char	*argument = take_column(&at, ARGUMENT_WIDTH);

	return (struct cli_option){ .name = name, .kind = argument[0] != '\0' ? CLI_TEXT :
	    CLI_FLAG, .argument = argument[0] != '\0' ? argument : NULL, .text = at };
}

size_t
served_options(struct served *s, struct cli_option *to)
{
	char	*line, *rest = s->help;
	size_t	 n = 0;

	read_help(s);
	while ((line = strsep(&rest, "\n")) != NULL && n < CLI_MAX_OPTIONS)
		if (strncmp(line, "  --", INDENT) == 0)
			to[n++] = option_of(line);
	return n;
}
