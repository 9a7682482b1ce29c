/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_COMPLETE_CANDIDATES_H
#define ASSAY_CLIENT_CMD_COMPLETE_CANDIDATES_H

#include "client/print/cli.h"

/*
 * What can stand in a place of the command line, for the shells' scripts.  A line each on stdout:
 *
 *	"w" WORD [TAB TEXT]	a word, and what it means
 *	"f" [ENDINGS]		a file; "json", or several between commas; none: any
 *	"d"			a directory
 */
struct candidates {
	const struct cli	*cli;		/* which daemon to ask */
	const char		*kept;		/* stands in front of each word: "--clock=" */
	size_t			 kept_bytes;
	const char		*typed;		/* words begin with this */
};

void	 candidates_put(const struct candidates *, const char *word, const char *text);
/* Of a place with this name in usage texts: "SPEC.json", "SWEEP", "ID", …; others: nothing. */
void	 candidates_put_kind(const struct candidates *, const char *name, size_t bytes);

#endif
