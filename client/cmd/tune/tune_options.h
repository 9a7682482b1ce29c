/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TUNE_TUNE_OPTIONS_H
#define ASSAY_CLIENT_CMD_TUNE_TUNE_OPTIONS_H

#include "client/cmd/tune/tune_document.h"
#include "client/cmd/tune/tune_replay.h"
#include "client/cmd/tune/tune_save.h"

/* How a space is searched, and for how long. */
struct tune_how {
	const char	*strategy, *log, *resume, *begin;	/* NULL: not given */
	const char	*over, *objective;			/* NULL: not given */
	int64_t		 evaluations, no_progress, seed, top, window;	/* 0: not given */
	double		 seconds, error;
	bool		 race, no_race, two_phase, print;
};

struct tune_options {
	struct tune_choice	 choice;
	struct tune_how		 how;
	struct tune_save	 save;
	struct tune_replay	 replay;
};

/* Defaults, and the table: CLI_MAX_OPTIONS of room. */
void		 tune_options_init(struct tune_options *, struct cli_option *table);
void		 tune_options_release(struct tune_options *);
/* CLI_GO_ON, or the exit code after a usage error. */
int		 tune_options_check(const struct cli_command *, struct tune_options *);

#endif
