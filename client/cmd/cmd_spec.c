/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "proto/base/path.h"

/* assay-spec takes the place of this program: it has the compiler library. */
static enum status
become_assay_spec(const struct cli *cli, const char *file, const char *routine,
    const char *output, struct fault *why)
{
	char		 program[PATH_MAX];
	const char	*words[10] = { program };
	size_t		 n = 1;
	enum status	 st;

	if ((st = path_program("assay-spec", program, sizeof program, why)) != ST_OK) {
		fault_hint(why, "this installation has no assay-spec: build it with libclang and "
		    "libdw");
		return st;
	}
	if (routine != NULL) {
		words[n++] = "--routine";
		words[n++] = routine;
	}
	if (output != NULL) {
		words[n++] = "--output";
		words[n++] = output;
	}
	if (cli->quiet)
		words[n++] = "--quiet";
	words[n++] = "--";
	words[n++] = file;
	(void)execv(program, (char *const *)(uintptr_t)words);
	return fault_set(why, ST_IO, "%s: %s", program, strerror(errno));
}

int
cmd_spec(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	const char		*routine = NULL, *output = NULL;
	const struct cli_option	 options[] = {
		{ 'r', "routine", CLI_TEXT, &routine, "NAME",
		  "the routine (default: the only one)", 0, 0 },
		{ 'o', "output", CLI_TEXT, &output, "FILE",
		  "write there (default: standard output)", 0, 0 },
		CLI_END,
	};
	struct cli_list		 words;
	struct fault		 why;
	int			 code;

	cli->is_local = true;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON && words.n != 1)
		code = cli_usage(self, "spec: needs one file: .c, .o or .so");
	else if (code == CLI_GO_ON && become_assay_spec(cli, words.items[0], routine, output,
	    &why) != ST_OK)
		code = cli_fail(&why);
	cli_list_release(&words);
	return code;
}
