/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/complete/complete.h"
#include "client/cmd/complete/scripts.h"

int
cmd_completion(const struct cli_command *commands, const struct cli_command *self, struct cli *cli,
    int argc, char **argv)
{
	struct cli_list	 words;
	const char	*script;
	int		 code;

	cli->is_local = true;
	code = cli_parse(cli, self, NULL, argc, argv, &words);
	if (code == CLI_GO_ON && words.n > 0 && strcmp(words.items[0], "words") == 0) {
		complete(commands, words.items + 1, words.n - 1);
		code = 0;
	} else if (code == CLI_GO_ON && words.n == 1 &&
	    (script = scripts_of(words.items[0])) != NULL) {
		(void)fputs(script, stdout);
		code = 0;
	} else if (code == CLI_GO_ON) {
		code = cli_usage(self, "completion: needs one of bash, zsh, fish");
	}
	cli_list_release(&words);
	return code;
}
