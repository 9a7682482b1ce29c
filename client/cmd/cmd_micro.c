/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay micro: what is done with a description of micro-kernels, a verb each.  `generate` hands its
 * options to assay-micro, which has the XML parser and the disassembler.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/helper.h"
#include "client/cmd/micro/micro_run.h"
#include "client/print/output.h"

/* ---- generate ---- */

struct generate {
	const char	*folder, *joined, *function, *machine, *vector;
	struct cli_list	 plugins;
	bool		 counts, prints, checks, as_c, has_lines, by_copies, is_verbose;
	bool		 lists_passes, lists_nodes, decodes, for_host;
	int64_t		 limit, seed, plugin_seconds;
};

/* An option of assay-micro's for each that was given here. */
static void
add_options(struct helper *h, const struct cli *cli, const struct generate *g)
{
	const struct { bool is_on; const char *word; }	flags[] = {
		{ g->counts, "--count" }, { g->prints, "--print" }, { g->checks, "--check" },
		{ g->as_c, "--c" }, { g->has_lines, "--lines" }, { g->by_copies, "--microperf" },
		{ g->is_verbose, "--verbose" }, { g->lists_passes, "--passes" },
		{ g->lists_nodes, "--nodes" }, { cli->ndjson, "--ndjson" },
		{ cli->quiet, "-q" }, { g->decodes, "--decode" }, { g->for_host, "--for-host" },
	};
	const struct { const char *value, *word; }	texts[] = {
		{ g->folder, "--output=" }, { g->joined, "--joined=" },
		{ g->function, "--function=" },
		{ g->machine, "--machine=" }, { g->vector, "--vector=" },
	};

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (flags[i].is_on)
			helper_add(h, "%s", flags[i].word);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (texts[i].value != NULL)
			helper_add(h, "%s%s", texts[i].word, texts[i].value);
	for (size_t i = 0; i < g->plugins.n; i++)
		helper_add(h, "--plugin=%s", g->plugins.items[i]);
	if (g->plugin_seconds > 0)
		helper_add(h, "--plugin-seconds=%" PRId64, g->plugin_seconds);
	if (g->limit > 0)
		helper_add(h, "--limit=%" PRId64, g->limit);
	if (g->seed > 0)
		helper_add(h, "--seed=%" PRId64, g->seed);
}

/* From here on the process is assay-micro. */
static int
become(const struct cli *cli, const struct generate *g, const char *file)
{
	struct helper	h;
	struct fault	why;

	if (helper_init(&h, "assay-micro", "expat and Zydis", &why) == ST_OK) {
		add_options(&h, cli, g);
		helper_add(&h, "--");
		if (file != NULL)
			helper_add(&h, "%s", file);
		if (output_finish())
			(void)execv(h.words[0], h.words);
		(void)fault_set(&why, ST_IO, "%s: %s", h.words[0], strerror(errno));
	}
	helper_release(&h);
	return cli_fail(&why);
}

/* ---- the command ---- */

/* words[0] is the verb; `file` is what follows. */
static int
run(const struct cli_command *self, const struct cli *cli, const struct generate *g,
    const struct cli_list *words)
{
	const bool	lists = g->lists_passes || g->lists_nodes;	/* of no description */

	if (words->n == 0 ? !lists : strcmp(words->items[0], "generate") != 0)
		return cli_usage(self, "micro: the verbs are generate and run");
	if (lists)
		return become(cli, g, NULL);
	if (words->n != 2)
		return cli_usage(self, "micro generate: needs one description, FILE.xml");
	return become(cli, g, words->items[1]);
}

int
cmd_micro(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct generate		g = { .limit = 0 };
	const struct cli_option	options[] = {
		{ 'o', "output", CLI_TEXT, &g.folder, "DIR", "write each program to a file", 0, 0 },
		{ '\0', "joined", CLI_TEXT, &g.joined, "FILE",
		  "write all to one file; names of functions and labels differ", 0, 0 },
		{ '\0', "print", CLI_FLAG, &g.prints, NULL, "print the sources", 0, 0 },
		{ '\0', "count", CLI_FLAG, &g.counts, NULL,
		  "print how many programs there are, without making them", 0, 0 },
		{ '\0', "check", CLI_FLAG, &g.checks, NULL,
		  "let the assembler read them; errors have the lines of the description", 0, 0 },
		{ '\0', "limit", CLI_INT, &g.limit, "N", "keep N of them, at random", 1, 1 << 20 },
		{ '\0', "seed", CLI_INT, &g.seed, "S", "with --limit: which ones", 0, INT64_MAX },
		{ '\0', "c", CLI_FLAG, &g.as_c, NULL,
		  "C with the same instructions in an asm statement", 0, 0 },
		{ '\0', "function", CLI_TEXT, &g.function, "NAME",
		  "of the routine; otherwise entryPoint", 0, 0 },
		{ '\0', "lines", CLI_FLAG, &g.has_lines, NULL,
		  "the description's line in front of each instruction", 0, 0 },
		{ '\0', "microperf", CLI_FLAG, &g.by_copies, NULL,
		  "linked counters count copies, as the public tool's do", 0, 0 },
		{ '\0', "machine", CLI_TEXT, &g.machine, "NAME",
		  "x86_64 or aarch64; otherwise this host's", 0, 0 },
		{ '\0', "vector", CLI_TEXT, &g.vector, "BYTES",
		  "width of vector registers instead of the description's", 0, 0 },
		{ '\0', "decode", CLI_FLAG, &g.decodes, NULL,
		  "with --ndjson: what the assembled code does, in meta", 0, 0 },
		{ '\0', "for-host", CLI_FLAG, &g.for_host, NULL,
		  "the same; refuse what this host's processor does not have", 0, 0 },
		{ '\0', "plugin", CLI_LIST, &g.plugins, "FILE",
		  "a shared object with passes of your own, run in its own process", 0, 0 },
		{ '\0', "plugin-seconds", CLI_INT, &g.plugin_seconds, "N",
		  "how long that may take; otherwise 300", 1, 86400 },
		{ '\0', "verbose", CLI_FLAG, &g.is_verbose, NULL,
		  "print among how many each pass chooses", 0, 0 },
		{ '\0', "passes", CLI_FLAG, &g.lists_passes, NULL,
		  "list the passes in their order", 0, 0 },
		{ '\0', "nodes", CLI_FLAG, &g.lists_nodes, NULL,
		  "list the nodes of descriptions", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	int			code;

	if (argc > 1 && strcmp(argv[1], "run") == 0)
		return micro_run(self, cli, argc - 1, argv + 1);
	cli->is_local = true;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = run(self, cli, &g, &words);
	cli_list_release(&words);
	cli_list_release(&g.plugins);
	return code;
}
