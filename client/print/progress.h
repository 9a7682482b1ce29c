/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_PROGRESS_H
#define ASSAY_CLIENT_PRINT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One line on stderr that is written again and again, if stderr is a terminal.  Initialise it as
 * quiet while other text goes to the same terminal.
 */
struct progress {
	bool		on, shown;
	int64_t		began_ms, last_ms;
	size_t		done_first;	/* at the first look: stored results have no speed */
	int64_t		first_ms;	/* -1: no look yet */
	unsigned	turn;
};

void	 progress_init(struct progress *, bool quiet);
/*
 * At most ten times a second: `done` of `of` (0: unknown), and a few words (NULL: none).  After
 * some seconds it also shows how long the rest will take at the speed so far.
 */
void	 progress_show(struct progress *, size_t done, size_t of, const char *words);
void	 progress_clear(struct progress *);		/* at the end */

#endif
