/* SPDX-License-Identifier: Apache-2.0 */
/* assay: the command line: the table of commands, options in front of them, and the end. */
#include <stdio.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/glossary.h"
#include "client/print/format.h"
#include "client/print/output.h"
#include "proto/base/version.h"

static int	run_completion(const struct cli_command *, struct cli *, int argc, char **argv);
static int	run_version(const struct cli_command *, struct cli *, int argc, char **argv);
static int	run_help(const struct cli_command *, struct cli *, int argc, char **argv);

static const struct cli_command commands[] = {
	{ "serve", "[assayd's flags]", "run a daemon of your own in the foreground", cmd_serve },
	{ "time", "SPEC.json [VARIANT.c...]", "time variants of a kernel", cmd_time },
	{ "compare", "[--spec] SPEC.json A.c B.c [C.c...]",
	  "time variants in turn, and show which is faster", cmd_compare },
	{ "compare-runs", "A B [--threshold 3%] [--markdown]",
	  "which variants of sweep A are faster or slower in sweep B", cmd_compare_runs },
	{ "fit", "SPEC.json [VARIANT.c]",
	  "find the context in which a variant takes an application's time", cmd_fit },
	{ "submit", "FILE.json...", "submit jobs and print their ids", cmd_submit },
	{ "wait", "ID... | --sweep SWEEP", "wait until jobs are over", cmd_wait },
	{ "results", "[ID...]", "list stored results", cmd_results },
	{ "best", "SWEEP", "list the fastest variants of a sweep", cmd_best },
	{ "sweep", "create FILE.json | list | show SWEEP | cancel SWEEP | share SWEEP",
	  "submit many variants under one spec", cmd_sweep },
	{ "export", "SWEEP --format FORMAT [-o FILE]",
	  "write a sweep's results as a file of another tool's format", cmd_export },
	{ "report", "SWEEP > PAGE.html", "write a sweep's page as one file", cmd_report },
	{ "import", "poet FILE.spec | gco FILE.c...",
	  "make a spec of another tool's", cmd_import },
	{ "variants", "FILE.c --script SCRIPT [--sweep NAME]",
	  "make legal variants of a loop nest", cmd_variants },
	{ "micro", "generate FILE.xml | run FILE.xml",
	  "make programs of a description of micro-kernels, and time them", cmd_micro },
	{ "tune", "SWEEP.json | VARIANT.c", "search a space of variants for the fastest",
	  cmd_tune },
	{ "launch", "KERNEL...", "time kernels over sizes and alignments of their arrays",
	  cmd_launch },
	{ "init", "FILE.c | FILE.o | FILE.so", "write a first spec, and say what to edit",
	  cmd_init },
	{ "spec", "FILE.c | FILE.o | FILE.so",
	  "make a spec of a routine's source or binary", cmd_spec },
	{ "driver", "SPEC.json [VARIANT.c...] -o DIR",
	  "write the sources of a timer that runs without Assay", cmd_driver },
	{ "backup", "FILE", "copy the daemon's database, while it runs", cmd_backup },
	{ "check", "", "verify the daemon's database", cmd_check },
	{ "prune", "--older-than AGE [--sweep SWEEP] [--user UID] [--dry-run]",
	  "remove old results with their jobs", cmd_prune },
	{ "queue", "[pause | resume | ID]",
	  "show queued jobs and jobs under way, or hold jobs back", cmd_queue },
	{ "cancel", "ID... | --sweep SWEEP", "cancel jobs", cmd_cancel },
	{ "host", "[calibrate | reference]",
	  "show the daemon's host and how fit it is for timing", cmd_host },
	{ "dial-stdio", "", "join standard input and output to the daemon: for -H ssh://HOST",
	  cmd_dial_stdio },
	{ "completion", "bash | zsh | fish", "print a script that completes command lines",
	  run_completion },
	{ "version", "", "print the version", run_version },
	{ "help", "[COMMAND | glossary]", "print help on a command, or what words mean",
	  run_help },
	{ NULL, NULL, NULL, NULL },
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] - 1 };

static void
print_commands(FILE *to)
{
	(void)fprintf(to, "usage: assay [-s SOCKET | -H ADDRESS] [--json | --ndjson | --markdown] "
	    "[-q] COMMAND ...\n\n");
	for (unsigned i = 0; i < NCOMMANDS; i++)
		(void)fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].text);
	(void)fprintf(to, "\nMore on each: assay help COMMAND, and assay(1).  Words: assay help "
	    "glossary.\nThe version: assay --version.\n");
}

static int
run_completion(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	return cmd_completion(commands, self, cli, argc, argv);
}

static int
run_version(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct cli_list	words;
	int		code = cli_parse(cli, self, NULL, argc, argv, &words);

	cli_list_release(&words);
	if (code != CLI_GO_ON)
		return code;
	if (cli->json || cli->ndjson)
		(void)printf("{\"name\":\"assay\",\"version\":\"%s\"}\n", ASSAY_VERSION);
	else
		(void)printf("assay %s\n", ASSAY_VERSION);
	return 0;
}

static int
unknown_command(const char *name)
{
	const char	*names[NCOMMANDS + 1] = { NULL }, *near;
	struct fault	 why;

	for (unsigned i = 0; i < NCOMMANDS; i++)
		names[i] = commands[i].name;
	(void)fault_set(&why, ST_BAD_REQUEST, "%s: there is no such command", name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(&why, "did you mean: assay %s?", near);
	else
		fault_hint(&why, "see: assay help");
	return cli_fail(&why);
}

static int
run_command(struct cli *cli, int argc, char **argv)
{
	for (unsigned i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, argv[0]) == 0)
			return commands[i].run(&commands[i], cli, argc, argv);
	return unknown_command(argv[0]);
}

static int
run_help(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	static char	flag[] = "--help";
	char		*of[3] = { NULL, flag, NULL };
	struct cli_list	words;
	int		code = cli_parse(cli, self, NULL, argc, argv, &words);

	if (code == CLI_GO_ON && words.n > 0 && strcmp(words.items[0], "glossary") == 0) {
		glossary_print();
		code = 0;
	} else if (code == CLI_GO_ON && words.n > 0 && strcmp(words.items[0], "serve") != 0) {
		of[0] = words.items[0];
		code = run_command(cli, 2, of);
	} else if (code == CLI_GO_ON && words.n > 0) {
		(void)printf("usage: assay serve [assayd's flags]\nThe flags are those of "
		    "assayd(8): assayd --help\n");
		code = 0;
	} else if (code == CLI_GO_ON) {
		print_commands(stdout);
		code = 0;
	}
	cli_list_release(&words);
	return code;
}

int
main(int argc, char **argv)
{
	struct cli	cli = { .socket = NULL };
	int		code, used;

	format_init();
	if ((code = cli_parse_global(&cli, argc, argv, &used)) != CLI_GO_ON)
		return code;
	if (argc - used < 2) {
		print_commands(stderr);
		return status_exit_code(ST_BAD_REQUEST);
	}
	code = run_command(&cli, argc - 1 - used, argv + 1 + used);
	if (!output_finish()) {
		(void)fprintf(stderr, "assay: writing to standard output failed\n");
		return code != 0 ? code : status_exit_code(ST_IO);
	}
	return code;
}
