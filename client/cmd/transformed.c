/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/cmd/transformed.h"
#include "client/print/member.h"
#include "proto/base/path.h"
#include "proto/spec/spec.h"

enum { MAX_WORDS = 1200 };

struct command {
	char	*words[MAX_WORDS + 1];		/* owned; NULL-terminated */
	size_t	 n;
};

static void __attribute__((format(printf, 2, 3)))
add(struct command *c, const char *fmt, ...)
{
	va_list	 ap;
	char	*word = NULL;

	va_start(ap, fmt);
	if (vasprintf(&word, fmt, ap) >= 0 && c->n < MAX_WORDS)
		c->words[c->n++] = word;
	else
		free(word);
	va_end(ap);
}

static void
release(struct command *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->words[i]);
}

/* ---- what a spec says about arguments ---- */

static bool
look_up(void *arg, const char *name, struct value *out)
{
	const struct spec	*s = arg;

	for (size_t i = 0; i < s->nparams; i++) {
		if (strcmp(s->params[i].name, name) == 0) {
			*out = s->params[i].value;
			return true;
		}
	}
	return false;
}

/* An integer, or one that an operand of one element holds when a call begins. */
static bool
known_value(const struct spec *s, size_t i, int64_t *out)
{
	const struct arg	*a = &s->args[i];
	struct value		 v = a->value;

	if (ctype_class(s->routine.params[i].type) != 'i' &&
	    ctype_class(s->routine.params[i].type) != 'u')
		return false;
	if (a->is_operand) {
		if (a->operand.elements != 1 || a->operand.init.kind != INIT_VALUE ||
		    a->operand.access != ACCESS_IN || expr_eval(a->operand.init.value, look_up,
		    (void *)(uintptr_t)s, &v, NULL) != ST_OK)
			return false;
	} else if (a->scalar == NULL) {
		return false;
	}
	*out = v.i;
	return v.kind == VALUE_INT;
}

static bool
has_shared(const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_shared || spec_is_joint(s, i))
			return true;
	return false;
}

static bool
is_given(const struct cli_list *values, const char *name)
{
	size_t	n = strlen(name);

	for (size_t i = 0; i < values->n; i++)
		if (strncmp(values->items[i], name, n) == 0 && values->items[i][n] == '=')
			return true;
	return false;
}

static void
add_spec(struct command *c, const struct transformed_request *q, const struct spec *s)
{
	char	text[SPEC_PARAM_TEXT];
	int64_t	value;

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (known_value(s, i, &value) && !is_given(&q->values, s->routine.params[i].name))
			add(c, "--set=%s=%" PRId64, s->routine.params[i].name, value);
	for (size_t i = 0; i < s->nparams; i++) {
		(void)param_put_text(&s->params[i], text, sizeof text);
		add(c, "--param=%s=%s", s->params[i].name, text);
		if (!spec_param_is_argument(s, &s->params[i]))
			add(c, "--define=%s=%s", s->params[i].name, text);
	}
	if (!has_shared(s))
		add(c, "--distinct");
	if (q->routine == NULL)
		add(c, "--routine=%s", s->routine.name);
}

/* The spec is decoded as that of a job. */
static enum status
read_spec(struct command *c, const struct transformed_request *q, struct fault *why)
{
	json_t		*doc = json_pack("{s:{s:s, s:s}, s:O}", "variant", "language",
			    "c", "source", ";", "spec", q->spec);
	struct job	 job;
	enum status	 st;

	if ((st = job_decode(&job, doc, why)) == ST_OK) {
		add_spec(c, q, &job.spec);
		job_release(&job);
	}
	json_decref(doc);
	return st;
}

static enum status
make_command(struct command *c, const struct transformed_request *q, struct fault *why)
{
	char		program[PATH_MAX];
	enum status	st;

	if ((st = path_program("assay-transform", program, sizeof program, why)) != ST_OK) {
		fault_hint(why, "this installation has no assay-transform: build it with "
		    "libclang and isl");
		return st;
	}
	add(c, "%s", program);
	add(c, "--script=%s", q->script);
	if (q->spec != NULL && (st = read_spec(c, q, why)) != ST_OK)
		return st;
	if (q->routine != NULL)
		add(c, "--routine=%s", q->routine);
	for (size_t i = 0; i < q->values.n; i++)
		add(c, "--set=%s", q->values.items[i]);
	for (size_t i = 0; i < q->defines.n; i++)
		add(c, "--define=%s", q->defines.items[i]);
	if (q->assumes)
		add(c, "--assume");
	add(c, "--");
	add(c, "%s", q->source);
	return ST_OK;
}

/* ---- the program ---- */

/* The fault that it found, in its own words. */
static enum status
read_fault(const json_t *doc, int code, struct fault *why)
{
	enum status	st;

	if (doc == NULL || !status_from_word(&st, member_text(doc, "status")) || st == ST_OK)
		return fault_set(why, ST_INTERNAL, "assay-transform ended with code %d", code);
	if (member_text(doc, "member")[0] != '\0')
		(void)fault_at(why, st, member_text(doc, "member"), "%s",
		    member_text(doc, "text"));
	else
		(void)fault_set(why, st, "%s", member_text(doc, "text"));
	fault_hint(why, "%s", member_text(doc, "hint"));
	return st;
}

static enum status
read_document(FILE *from, pid_t pid, json_t **out, struct fault *why)
{
	json_t	*doc = json_loadf(from, 0, NULL);
	int	 status = 0;

	(void)fclose(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && doc != NULL) {
		*out = doc;
		return ST_OK;
	}
	(void)read_fault(doc, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
	    why);
	json_decref(doc);
	return why->status;
}

static enum status
run(struct command *c, json_t **out, struct fault *why)
{
	int	ends[2];
	pid_t	pid;
	FILE	*from;

	if (pipe(ends) != 0)
		return fault_set(why, ST_IO, "pipe: %s", strerror(errno));
	if ((pid = fork()) < 0) {
		(void)close(ends[0]);
		(void)close(ends[1]);
		return fault_set(why, ST_IO, "fork: %s", strerror(errno));
	}
	if (pid == 0) {
		(void)close(ends[0]);
		if (dup2(ends[1], 1) >= 0 && freopen("/dev/null", "w", stderr) != NULL)
			(void)execv(c->words[0], c->words);
		_exit(status_exit_code(ST_IO));
	}
	(void)close(ends[1]);
	if ((from = fdopen(ends[0], "r")) == NULL) {
		(void)close(ends[0]);
		return fault_set(why, ST_NOMEM, "assay-transform");
	}
	return read_document(from, pid, out, why);
}

enum status
transformed_get(const struct transformed_request *q, json_t **out, struct fault *why)
{
	struct command	c = { .n = 0 };
	enum status	st;

	*out = NULL;
	if ((st = make_command(&c, q, why)) == ST_OK)
		st = run(&c, out, why);
	release(&c);
	return st;
}

/* ---- for a sweep ---- */

/* A variant as a sweep has it; the point is in its name. */
static json_t *
sweep_variant(const struct transformed_request *r, const json_t *one)
{
	json_t		*to = json_pack("{s:s, s:O}", "language", "c", "source",
			    json_object_get(one, "source"));
	const char	*assumed = json_object_get(one, "assumed") != NULL ? " (assumed)" : "";
	json_t		*defines = json_object();

	(void)json_object_set_new(to, "name", json_sprintf("%s%s", member_text(one, "name"),
	    assumed));
	if (json_object_get(one, "compiler") != NULL)
		(void)json_object_set(to, "compiler", json_object_get(one, "compiler"));
	if (json_object_get(one, "flags") != NULL)
		(void)json_object_set(to, "flags", json_object_get(one, "flags"));
	for (size_t i = 0; i < r->defines.n; i++) {
		const char	*word = r->defines.items[i], *equals = strchr(word, '=');
		size_t		 n = equals != NULL ? (size_t)(equals - word) : strlen(word);
		json_t		*name = json_stringn(word, n);

		(void)json_object_set_new(defines, json_string_value(name),
		    json_string(equals != NULL ? equals + 1 : "1"));
		json_decref(name);
	}
	if (json_object_size(defines) > 0)
		(void)json_object_set(to, "defines", defines);
	json_decref(defines);
	return to;
}

json_t *
transformed_variants(const struct transformed_request *r, const json_t *made)
{
	json_t	*list = json_array(), *one;
	size_t	 i;

	json_array_foreach(json_object_get(made, "variants"), i, one)
		(void)json_array_append_new(list, sweep_variant(r, one));
	return list;
}
