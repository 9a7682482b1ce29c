/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_OPTION_VALUE_H
#define ASSAY_CLIENT_CMD_JOB_OPTION_VALUE_H

#include <jansson.h>

/* Words of the command line as members of a job.  New references. */

/* "4" → 4, "0.5" → 0.5; other words stay text.  NULL: it is not UTF-8. */
json_t	*option_value(const char *text);
json_t	*option_value_of(const char *text, size_t bytes);	/* of its first bytes */
/* "-O3 -mavx2" → two more of `flags`; "3" and "fast" come from -O3 and -Ofast.  -1: not UTF-8. */
int	 option_flags(json_t *flags, const char *text);
/* `visibility`: "private", "all" or "alice,bob"; NULL: as it is there. */
void	 option_visibility(json_t *document, const char *readers);
/* `race` of a job or a sweep; above_ns: below 0: as it is there. */
void	 option_race(json_t *document, double above_ns);

#endif
