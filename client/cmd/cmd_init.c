/* SPDX-License-Identifier: Apache-2.0 */
/* A first spec beside a source, by assay-spec; this prints what to look at, and what next. */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/document.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/table.h"
#include "proto/base/path.h"

struct init {
	const char	*source, *routine;	/* routine NULL: the only one */
	const char	*output;		/* NULL: beside the source */
	char		 path[PATH_MAX];	/* of the spec */
};

/* Languages that no spec can be made of directly: their objects say enough, with -g. */
static enum status
check_language(const char *source, struct fault *why)
{
	const char	*language = document_language(source), *compiler = "gcc";

	if (language != NULL && (strcmp(language, "c") == 0 || document_is_binary(language)))
		return ST_OK;
	(void)fault_set(why, ST_BAD_SPEC, "%s: a spec is made of C, or of a compiled object",
	    source);
	if (language != NULL && strcmp(language, "c++") == 0)
		compiler = "g++";
	else if (language != NULL && strcmp(language, "fortran") == 0)
		compiler = "gfortran";
	fault_hint(why, "compile it with: %s -g -O2 -fPIC -c %s -o kernel.o, then: assay init "
	    "kernel.o", compiler, source);
	return ST_BAD_SPEC;
}

/* dot.c → dot.spec.json.  A file that is there stays: it may have been edited. */
static enum status
choose_path(struct init *in, struct fault *why)
{
	const char	*slash = strrchr(in->source, '/'), *dot = strrchr(in->source, '.');
	int		 stem = dot != NULL && (slash == NULL || dot > slash) ?
	    (int)(dot - in->source) : (int)strlen(in->source);
	int		 n;

	n = in->output != NULL ? snprintf(in->path, sizeof in->path, "%s", in->output) :
	    snprintf(in->path, sizeof in->path, "%.*s.spec.json", stem, in->source);
	if (n >= (int)sizeof in->path)
		return fault_set(why, ST_BAD_REQUEST, "the path is too long");
	if (access(in->path, F_OK) != 0)
		return ST_OK;
	(void)fault_set(why, ST_CONFLICT, "%s: is there already", in->path);
	fault_hint(why, "give another file with -o, or remove it");
	return ST_CONFLICT;
}

/*
 * assay-spec writes the spec, and reports by itself what is wrong with the source: its exit code,
 * or -1 and a fault of ours.
 */
static int
derive(const struct init *in, struct fault *why)
{
	char		 program[PATH_MAX];
	const char	*words[9] = { program, "--quiet", "--output", in->path };
	size_t		 n = 4;
	int		 error, status;
	pid_t		 pid;

	if (path_program("assay-spec", program, sizeof program, why) != ST_OK) {
		fault_hint(why, "this installation has no assay-spec: build it with libclang and "
		    "libdw");
		return -1;
	}
	if (in->routine != NULL) {
		words[n++] = "--routine";
		words[n++] = in->routine;
	}
	words[n++] = "--";
	words[n++] = in->source;
	error = posix_spawn(&pid, program, NULL, NULL, (char *const *)(uintptr_t)words, environ);
	while (error == 0 && waitpid(pid, &status, 0) < 0)
		error = errno == EINTR ? 0 : errno;
	if (error == 0 && WIFEXITED(status))
		return WEXITSTATUS(status);
	(void)fault_set(why, error != 0 ? ST_IO : ST_INTERNAL, "%s: %s", program,
	    error != 0 ? strerror(error) : "it ended by a signal");
	return -1;
}

static enum status
print_guesses(const json_t *document, struct fault *why)
{
	static const struct table_column	columns[] = {
		{ "guessed", false }, { "value", false }, { "because", false }, { NULL, false },
	};
	const json_t				*guess, *all;
	struct table				*t;
	size_t					 i;
	enum status				 st = table_new(&t, columns, why);

	all = json_object_get(json_object_get(document, "meta"), "guesses");
	json_array_foreach(all, i, guess) {
		char		*value = json_dumps(json_object_get(guess, "value"),
		    JSON_COMPACT | JSON_ENCODE_ANY);
		const char	*cells[] = { member_text(guess, "member"), value,
				    member_text(guess, "why") };

		if (st == ST_OK)
			st = table_add(t, cells, why);
		free(value);
	}
	if (st == ST_OK)
		table_print(t, stdout, output_columns());
	table_free(t);
	return st;
}

static enum status
say_what_next(const struct init *in, const json_t *document, struct fault *why)
{
	const json_t	*spec = json_object_get(document, "spec");
	enum status	 st;

	(void)printf("%s: a first spec of %s\n\n", in->path, member_text(spec, "routine"));
	if ((st = print_guesses(document, why)) != ST_OK)
		return st;
	(void)printf("\nEdit   the sizes and values above, as your application has them%s\n",
	    json_object_get(spec, "check") != NULL ? "; answers are\n       checked against "
	    "this source" : ";\n       a \"check\" with a reference, without which no answer is "
	    "checked");
	(void)printf("       \"context\": \"warm\", if its operands are in cache (cold without "
	    "it); see assay-spec(5)\n");
	(void)printf("Next   assay time %s %s\n", in->path, in->source);
	return ST_OK;
}

static int
run(struct init *in, const struct cli *cli)
{
	json_t		*document = NULL;
	struct fault	 why;
	enum status	 st;
	int		 code;

	if (check_language(in->source, &why) != ST_OK || choose_path(in, &why) != ST_OK ||
	    (code = derive(in, &why)) < 0)
		return cli_fail(&why);
	if (code != 0 || cli->quiet)
		return code;
	if ((st = document_load(in->path, &document, &why)) == ST_OK)
		st = say_what_next(in, document, &why);
	json_decref(document);
	return st == ST_OK ? 0 : cli_fail(&why);
}

int
cmd_init(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct init		in = { .source = NULL };
	const struct cli_option	options[] = {
		{ 'r', "routine", CLI_TEXT, &in.routine, "NAME",
		  "the routine (default: the only one)", 0, 0 },
		{ 'o', "output", CLI_TEXT, &in.output, "FILE",
		  "write there (default: beside the source, NAME.spec.json)", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	int			code;

	cli->is_local = true;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON && words.n != 1) {
		code = cli_usage(self, "init: needs one file: .c, .o or .so");
	} else if (code == CLI_GO_ON) {
		in.source = words.items[0];
		code = run(&in, cli);
	}
	cli_list_release(&words);
	return code;
}
