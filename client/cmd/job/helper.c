/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/cmd/job/helper.h"
#include "client/print/member.h"
#include "proto/base/path.h"

enum status
helper_init(struct helper *h, const char *program, const char *built_with, struct fault *why)
{
	char		path[PATH_MAX];
	enum status	st;

	*h = (struct helper){ .n = 0 };
	if ((st = path_program(program, path, sizeof path, why)) != ST_OK) {
		fault_hint(why, "this installation has no %s: build it with %s", program,
		    built_with);
		return st;
	}
	helper_add(h, "%s", path);
	return ST_OK;
}

void
helper_add(struct helper *h, const char *fmt, ...)
{
	va_list	 ap;
	char	*word = NULL;

	va_start(ap, fmt);
	if (vasprintf(&word, fmt, ap) >= 0 && h->n < HELPER_MAX_WORDS)
		h->words[h->n++] = word;
	else
		free(word);
	va_end(ap);
}

void
helper_release(struct helper *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->words[i]);
	h->n = 0;
}

/* The fault that it found, in its own words. */
static enum status
read_fault(const char *program, const json_t *doc, int code, struct fault *why)
{
	enum status	st;

	if (doc == NULL || !status_from_word(&st, member_text(doc, "status")) || st == ST_OK)
		return fault_set(why, ST_INTERNAL, "%s ended with code %d", program, code);
	if (member_text(doc, "member")[0] != '\0')
		(void)fault_at(why, st, member_text(doc, "member"), "%s",
		    member_text(doc, "text"));
	else
		(void)fault_set(why, st, "%s", member_text(doc, "text"));
	fault_hint(why, "%s", member_text(doc, "hint"));
	return st;
}

/* Its exit code, as a shell has it. */
static int
end_of(FILE *from, pid_t pid)
{
	int	status = 0;

	(void)fclose(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static enum status
read_document(const char *program, FILE *from, pid_t pid, json_t **out,
    struct fault *why)
{
	json_t	*doc = json_loadf(from, 0, NULL);
	int	 code = end_of(from, pid);

	if (code == 0 && doc != NULL) {
		*out = doc;
		return ST_OK;
	}
	(void)read_fault(program, doc, code, why);
	json_decref(doc);
	return why->status;
}

/* Its standard output. */
static enum status
start(const struct helper *h, bool is_silent, FILE **from, pid_t *pid, struct fault *why)
{
	int	ends[2];

	if (pipe(ends) != 0)
		return fault_set(why, ST_IO, "pipe: %s", strerror(errno));
	if ((*pid = fork()) < 0) {
		(void)close(ends[0]);
		(void)close(ends[1]);
		return fault_set(why, ST_IO, "fork: %s", strerror(errno));
	}
	if (*pid == 0) {
		(void)close(ends[0]);
		if (dup2(ends[1], 1) >= 0 &&
		    (!is_silent || freopen("/dev/null", "w", stderr) != NULL))
			(void)execv(h->words[0], h->words);
		_exit(status_exit_code(ST_IO));
	}
	(void)close(ends[1]);
	if ((*from = fdopen(ends[0], "r")) == NULL) {
		(void)close(ends[0]);
		return fault_set(why, ST_NOMEM, "%s", h->words[0]);
	}
	return ST_OK;
}

enum status
helper_run(const struct helper *h, bool is_silent, json_t **out, struct fault *why)
{
	FILE		*from;
	pid_t		 pid;
	enum status	 st = start(h, is_silent, &from, &pid, why);

	return st == ST_OK ? read_document(h->words[0], from, pid, out, why) : st;
}

enum status
helper_run_lines(const struct helper *h, json_t **list, int *code, struct fault *why)
{
	json_t		*document;
	FILE		*from;
	pid_t		 pid;
	enum status	 st = start(h, false, &from, &pid, why);

	*list = NULL;
	*code = 0;
	if (st != ST_OK)
		return st;
	*list = json_array();
	while ((document = json_loadf(from, JSON_DISABLE_EOF_CHECK, NULL)) != NULL)
		(void)json_array_append_new(*list, document);
	if (!feof(from))
		st = fault_set(why, ST_INTERNAL, "%s: printed what is no JSON", h->words[0]);
	*code = end_of(from, pid);
	return st;
}
