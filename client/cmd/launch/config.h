/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_CONFIG_H
#define ASSAY_CLIENT_CMD_LAUNCH_CONFIG_H

#include "client/print/cli.h"

/*
 * MicroLauncher's configuration file as words of the command line.  Options on the command line
 * override the file's.
 */
struct config_words {
	char	**words;		/* owned, NULL-terminated: argv[0], the file's, the rest */
	int	  n;
	char	**made;			/* owned, as each text: those of the file */
	size_t	  nmade;
};

/*
 * `options`: a table of the command's.  A node is an option's name, in any case and without
 * hyphens.  Without --config FILE among the words these are all as they were.  ST_BAD_SPEC: the
 * file has something else, with its line.
 */
enum status	 config_words_init(struct config_words *, const struct cli_option *options,
		    int argc, char **argv, struct fault *);
void		 config_words_release(struct config_words *);	/* zeroed memory is fine */

/*
 * As cli_parse, of a file's words and the command line's, after options of MicroLauncher's that are
 * none here were refused.  `given` is initialised, and must live as long as what was read.
 */
int		 config_parse(struct cli *, const struct cli_command *, const struct cli_option *,
		    int argc, char **argv, struct config_words *given, struct cli_list *words);

#endif
