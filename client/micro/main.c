/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-micro: a description of micro-kernels → programs, in assembly or C.
 * `assay micro` runs it; it speaks to no daemon, and nothing of a description is executed.
 *
 *	read/		XML → model/, a description with choices
 *	pass/		one change to a program each, in a list
 *	space/		how many programs there are, and the n-th one
 *	machine/	registers and instructions as tables
 *	write/		a program → text
 *	plugin/		passes of the user's, in a process of their own
 *	decode/		what a program's code does
 *	make.c		which programs;  generate.c where they go
 */
#include <stdio.h>
#include <string.h>

#include "client/micro/generate.h"
#include "client/micro/lists.h"
#include "client/micro/options.h"
#include "client/micro/read/launch_config.h"

static int
fail(const struct fault *why)
{
	char	line[1400];

	(void)fprintf(stderr, "assay-micro: %s\n", fault_line(why, line, sizeof line));
	return status_exit_code(why->status);
}

static enum status
run(struct options *o, struct fault *why)
{
	enum status	st = generate_programs(&o->micro, &o->how, why);

	if (st == ST_OK && (fflush(stdout) != 0 || ferror(stdout)))
		st = fault_set(why, ST_IO, "writing to standard output failed");
	return st;
}

/* As assay reads it: the options, or the fault. */
static int
print_config(const char *path)
{
	json_t		*options, *document;
	struct fault	 why;
	enum status	 st = launch_config_load(path, &options, &why);

	document = st == ST_OK ? json_pack("{s:o}", "options", options) :
	    json_pack("{s:s, s:s, s:s, s:s}", "status", status_word(st), "member", why.member,
	    "text", why.text, "hint", why.hint);
	if (json_dumpf(document, stdout, JSON_COMPACT) != 0 || fflush(stdout) != 0)
		st = ST_IO;
	json_decref(document);
	return status_exit_code(st);
}

int
main(int argc, char **argv)
{
	static struct passes	passes;
	struct options		o = { .micro = { .passes = &passes } };
	struct fault		why = { .status = ST_OK };
	enum status		st;

	if (argc == 3 && strcmp(argv[1], "--launch-config") == 0)
		return print_config(argv[2]);
	passes_init(&passes);
	if ((st = options_parse(&o, argc, argv, &why)) != ST_OK)
		return fail(&why);
	if (o.lists != NULL) {
		o.lists(&o.micro, stdout);
		return 0;
	}
	o.micro.arena = arena_new();
	st = run(&o, &why);
	arena_free(o.micro.arena);
	return st == ST_OK ? 0 : fail(&why);
}
