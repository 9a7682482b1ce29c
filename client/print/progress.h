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
	unsigned	turn;
};

void	 progress_init(struct progress *, bool quiet);
/* At most ten times a second: `done` of `of` (0: unknown), and a few words (NULL: none). */
void	 progress_show(struct progress *, size_t done, size_t of, const char *words);
void	 progress_clear(struct progress *);		/* at the end */

#endif
