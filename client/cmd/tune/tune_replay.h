/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TUNE_TUNE_REPLAY_H
#define ASSAY_CLIENT_CMD_TUNE_TUNE_REPLAY_H

#include "client/print/cli.h"

/* assay tune --replay: how near strategies come to the optimum of stored tables. */
struct tune_replay {
	bool	wanted;
	int64_t	seeds;
};

int	 tune_replay(struct cli *, const struct cli_command *, const struct tune_replay *,
	    const struct cli_list *files);

/* The number of a word in a list that NULL ends; -1: it is none of them. */
int	 tune_word(const char *const *words, const char *word);

#endif
