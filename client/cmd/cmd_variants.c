/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay variants: the legal variants that a script makes of a C nest.  Without --sweep it prints
 * them; with it they become a sweep that any user could have written, submitted or printed.
 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/document.h"
#include "client/cmd/job/option_value.h"
#include "client/cmd/job/time_job.h"
#include "client/cmd/job/transformed.h"
#include "client/cmd/sweep/sweep_create.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"

struct variants {
	struct cli			*cli;
	struct transformed_request	 request;
	struct cli_list			 params;
	const char			*spec_path, *sweep, *readers;
	bool				 prints, follows;
	json_t				*base;		/* owned: { spec, … }; NULL: no spec */
	json_t				*made;		/* owned */
};

/* ---- what was refused ---- */

static void
print_refused(const struct variants *v)
{
	const json_t	*refused = json_object_get(v->made, "refused"), *one;
	size_t		 n = json_array_size(refused);
	struct fault	 why = { .status = ST_BAD_SPEC };
	char		 line[1400];

	if (n == 0 || v->cli->quiet)
		return;
	one = json_array_get(refused, 0);
	(void)fault_at(&why, ST_BAD_SPEC, member_text(one, "member"), "%s",
	    member_text(one, "text"));
	fault_hint(&why, "%s", member_text(one, "hint"));
	(void)fprintf(stderr, "assay: %zu of %zu points refused, the first at %s: %s\n", n,
	    n + json_array_size(json_object_get(v->made, "variants")), member_text(one, "name"),
	    format_clean(fault_line(&why, line, sizeof line), true));
}

static void
print_assumed(const struct variants *v)
{
	const json_t	*one;
	size_t		 i, n = 0;
	const char	*first = "";
	char		 line[1024];

	json_array_foreach(json_object_get(v->made, "variants"), i, one) {
		if (json_object_get(one, "assumed") == NULL)
			continue;
		first = n++ == 0 ? member_text(one, "assumed") : first;
	}
	if (n == 0 || v->cli->quiet)
		return;
	(void)snprintf(line, sizeof line, "%s", first);
	(void)fprintf(stderr, "assay: %zu variant%s not proved: %s\n", n, n == 1 ? " is" : "s are",
	    format_clean(line, true));
}

/* ---- what was made ---- */

static void
print_sources(const struct variants *v)
{
	const json_t	*one;
	size_t		 i;

	json_array_foreach(json_object_get(v->made, "variants"), i, one)
		(void)printf("%s%s", i > 0 ? "\n" : "", member_text(one, "source"));
}

static json_t *
make_sweep(const struct variants *v)
{
	json_t	*sweep = json_copy(v->base);

	(void)json_object_del(sweep, "variant");
	(void)json_object_set_new(sweep, "name", json_string(v->sweep));
	option_visibility(sweep, v->readers);
	(void)json_object_set_new(sweep, "variants", transformed_variants(&v->request, v->made));
	return sweep;
}

static int
put_sweep(const struct variants *v)
{
	json_t		*sweep = make_sweep(v);
	struct fault	 why;
	int		 code = 0;

	if (!v->prints)
		code = sweep_create(v->cli, sweep, v->follows);
	else if (output_document(sweep, &why) != ST_OK)
		code = cli_fail(&why);
	json_decref(sweep);
	return code;
}

static int
put_out(const struct variants *v)
{
	struct fault	why;
	enum status	st = ST_OK;

	print_refused(v);
	print_assumed(v);
	if (v->sweep != NULL)
		return put_sweep(v);
	if (v->cli->json)
		st = output_document(v->made, &why);
	else if (v->cli->ndjson)
		st = output_line(v->made, &why);
	else
		print_sources(v);
	return st == ST_OK ? 0 : cli_fail(&why);
}

/* ---- the command ---- */

static enum status
read_spec(struct variants *v, struct fault *why)
{
	struct time_choice	 choice = TIME_AS_SPECIFIED;
	char			 notes[512];
	enum status		 st;

	choice.params = v->params;
	st = time_job_base(&choice, v->spec_path, &v->base, notes, sizeof notes, why);
	v->request.spec = st == ST_OK ? json_object_get(v->base, "spec") : NULL;
	return st;
}

static int
run(struct variants *v)
{
	struct fault	why;

	if ((v->spec_path != NULL && read_spec(v, &why) != ST_OK) ||
	    transformed_get(&v->request, &v->made, &why) != ST_OK)
		return cli_fail(&why);
	return put_out(v);
}

static int
check(const struct cli_command *self, struct variants *v, const struct cli_list *words)
{
	if (words->n != 1)
		return cli_usage(self, "variants: needs one file, FILE.c");
	if (v->request.script == NULL)
		return cli_usage(self, "variants: needs a script: --script SCRIPT");
	if (v->sweep != NULL && v->spec_path == NULL)
		return cli_usage(self, "variants: a sweep needs a spec: --spec SPEC.json");
	if (v->params.n > 0 && v->spec_path == NULL)
		return cli_usage(self, "variants: -p needs a spec: --spec SPEC.json");
	v->request.source = words->items[0];
	return CLI_GO_ON;
}

int
cmd_variants(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct variants		v = { .cli = cli };
	const struct cli_option	options[] = {
		{ '\0', "script", CLI_TEXT, &v.request.script, "SCRIPT",
		  "the steps, one a line", 0, 0 },
		{ '\0', "spec", CLI_TEXT, &v.spec_path, "SPEC.json",
		  "values of arguments, operands that do not overlap", 0, 0 },
		{ 'p', "param", CLI_LIST, &v.params, "NAME=VALUE", "a param of the spec", 0, 0 },
		{ '\0', "set", CLI_LIST, &v.request.values, "ARG=VALUE",
		  "value of an integer argument, for the step constant", 0, 0 },
		{ 'D', "define", CLI_LIST, &v.request.defines, "NAME=VALUE",
		  "a macro of the source", 0, 0 },
		{ 'I', "include", CLI_LIST, &v.request.includes, "DIR",
		  "a folder of files that the source includes", 0, 0 },
		{ '\0', "routine", CLI_TEXT, &v.request.routine, "NAME",
		  "of several in the file", 0, 0 },
		{ '\0', "assume", CLI_FLAG, &v.request.assumes, NULL,
		  "make and mark variants that are not proved legal", 0, 0 },
		{ '\0', "sweep", CLI_TEXT, &v.sweep, "NAME", "submit them as a sweep", 0, 0 },
		{ '\0', "visibility", CLI_TEXT, &v.readers, "READERS",
		  "with --sweep: who may read the sources: private, all, or users' names", 0, 0 },
		{ '\0', "print", CLI_FLAG, &v.prints, NULL,
		  "print the sources; with --sweep the sweep, without submitting it", 0, 0 },
		{ 'f', "follow", CLI_FLAG, &v.follows, NULL,
		  "with --sweep: wait for the results and print them", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && (code = check(self, &v, &words)) == CLI_GO_ON)
		code = run(&v);
	json_decref(v.base);
	json_decref(v.made);
	cli_list_release(&v.params);
	cli_list_release(&v.request.values);
	cli_list_release(&v.request.defines);
	cli_list_release(&v.request.includes);
	cli_list_release(&words);
	return code;
}
