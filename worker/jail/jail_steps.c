/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/jail/jail.h"
#include "worker/jail/jail_steps.h"
#include "worker/jail/needs.h"

enum { WORDS_MOST = 4096, CODE_BROKEN = 1 };

struct step {
	bool		 alone;
	size_t		 nwords;
	char *const	*words;
};

/* The step at *counts, which moves on; false: none, or they make no sense. */
static bool
next_step(const char **counts, char *const **words, struct step *s)
{
	char	*end;

	*s = (struct step){ .alone = **counts == 'a', .words = *words };
	*counts += s->alone;
	if (**counts < '1' || **counts > '9')
		return false;
	s->nwords = strtoul(*counts, &end, 10);
	if (s->nwords > WORDS_MOST || (*end != ',' && *end != '\0'))
		return false;
	*counts = end + (*end == ',');
	*words += s->nwords;
	return true;
}

bool
jail_steps_fit(const char *counts, char *const *words)
{
	char *const	*at = words;
	struct step	 s;
	size_t		 n = 0;

	while (*counts != '\0')
		if (!next_step(&counts, &at, &s))
			return false;
	while (words[n] != NULL)
		n++;
	return n > 0 && (size_t)(at - words) == n;
}

/* ---- running them ---- */

static const char *
name_of(const char *path)
{
	const char	*slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Of the program, not of the process that starts it: a sanitizer reserves more. */
static void
limit_memory(uint64_t bytes)
{
	struct rlimit	limit;

	if (bytes == 0 || getrlimit(RLIMIT_AS, &limit) == -1)
		return;
	limit.rlim_max = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_AS, &limit) == -1)
		_exit(CODE_BROKEN);
}

static _Noreturn void
become(const struct step *s, const struct jail_steps *all)
{
	char	*argv[WORDS_MOST + 1];

	memcpy(argv, s->words, s->nwords * sizeof argv[0]);
	argv[s->nwords] = NULL;
	limit_memory(all->memory_bytes);
	if (all->copy_of != NULL && strcmp(argv[0], all->copy_of) == 0)
		(void)execveat(all->copy_fd, "", argv, all->env, AT_EMPTY_PATH);
	(void)execve(argv[0], argv, all->env);
	(void)dprintf(STDERR_FILENO, "fatal error: cannot execute %s: %s\n", name_of(argv[0]),
	    strerror(errno));
	_exit(CODE_BROKEN);
}

/* The exit code of what has ended. */
static int
explain(const struct step *s, int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	(void)dprintf(STDERR_FILENO, "fatal error: %s signal terminated program %s\n"
	    "compilation terminated.\n", strsignal(WTERMSIG(status)), name_of(s->words[0]));
	return CODE_BROKEN;
}

static int
run(const struct step *s, const struct jail_steps *all)
{
	const pid_t	pid = vfork();	/* its only calls set a limit and become the program */
	int		status;

	if (pid == 0)
		become(s, all);
	if (pid == -1) {
		(void)dprintf(STDERR_FILENO, "fatal error: fork: %s\n", strerror(errno));
		return CODE_BROKEN;
	}
	while (waitpid(pid, &status, 0) == -1)
		if (errno != EINTR)
			return CODE_BROKEN;
	return explain(s, status);
}

/* An object of the working directory, and none of the system's. */
static bool
is_own_object(const char *word)
{
	const size_t	n = strlen(word);

	return n > 2 && strcmp(word + n - 2, ".o") == 0 && word[0] != '/';
}

static bool
stands_alone(const struct step *s)
{
	for (size_t i = 1; i < s->nwords; i++)
		if (is_own_object(s->words[i]) && needs_others_file(s->words[i]))
			return false;
	return true;
}

/* Temporary files are named .1.s, .2.o and so on. */
static bool
is_temporary(const char *word)
{
	return word[0] == '.' && isdigit((unsigned char)word[1]);
}

static bool
is_output(const struct step *s, size_t word)
{
	return word > 0 && strcmp(s->words[word - 1], "-o") == 0;
}

/* Is a file missing that an earlier step should have made? */
static bool
lacks_input(const struct step *s)
{
	for (size_t i = 1; i < s->nwords; i++)
		if (is_temporary(s->words[i]) && !is_output(s, i) &&
		    access(s->words[i], F_OK) != 0)
			return true;
	return false;
}

static void
remove_output(const struct step *s)
{
	for (size_t i = 1; i < s->nwords; i++)
		if (is_output(s, i))
			(void)unlink(s->words[i]);
}

/* As drivers do: after a failure, the other sources are compiled for what is wrong with them. */
static int
run_all(const struct jail_steps *all)
{
	const char	*counts = all->counts;
	char *const	*words = all->words;
	struct step	 s;
	int		 code, first_code = 0;

	while (*counts != '\0' && next_step(&counts, &words, &s)) {
		if (lacks_input(&s) || (s.alone && !stands_alone(&s)))
			continue;
		if ((code = run(&s, all)) != 0)
			remove_output(&s);
		if (first_code == 0)
			first_code = code;
		if (s.alone)
			break;
	}
	return first_code;
}

static int
run_in_folder(const struct jail_steps *all, unsigned k)
{
	char	name[JAIL_FOLDER_BYTES];

	jail_folder(k, name);
	if (chdir(name) == -1) {
		(void)dprintf(STDERR_FILENO, "fatal error: %s: %s\n", name, strerror(errno));
		return CODE_BROKEN;
	}
	return run_all(all);
}

_Noreturn void
jail_steps_run(const struct jail_steps *all)
{
	const int	top = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int		code = 0;

	if (all->folders == 0)
		_exit(run_all(all));
	for (unsigned k = 0; k < all->folders && code == 0; k++)
		code = fchdir(top) == -1 ? CODE_BROKEN : run_in_folder(all, k);
	_exit(code);
}
