/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/results/row.h"
#include "client/report/part.h"

enum { DETAIL_LINES = 20, HEAD_BYTES = 512 };

static void
put_head(FILE *to, const struct result *r)
{
	const char	*words = result_words(r);
	char		*point = row_point(r), head[HEAD_BYTES];

	(void)snprintf(head, sizeof head, "%s%s%s: %s%s%s",
	    r->name != NULL && r->name[0] != '\0' ? r->name : "(no name)",
	    point != NULL && point[0] != '\0' ? " " : "", point != NULL ? point : "",
	    r->status != NULL ? r->status : "unknown", words != NULL ? ", " : "",
	    words != NULL ? words : "");
	(void)fprintf(to, "%s\n", format_clean(head, false));
	free(point);
}

/* A compiler's messages may be many lines, each of which stays one. */
static void
put_message(FILE *to, char *text)
{
	unsigned	 lines = 0;
	char		*next;

	for (char *line = text; line != NULL && line[0] != '\0'; line = next, lines++) {
		if ((next = strchr(line, '\n')) != NULL)
			*next++ = '\0';
		if (lines < DETAIL_LINES)
			(void)fprintf(to, "  | %s\n", format_clean(line, false));
	}
	if (lines > DETAIL_LINES)
		(void)fprintf(to, "  | (%u more line%s: --json has them all)\n",
		    lines - DETAIL_LINES, part_plural(lines - DETAIL_LINES));
}

void
outcome_put(const struct page *page, const struct result *r)
{
	char	*text = r->detail != NULL ? strdup(r->detail) : NULL;

	put_head(page->to, r);
	if (r->repeat_of != INT64_MIN)
		(void)fprintf(page->to, "  the result of job %" PRId64 ", not timed again\n",
		    r->repeat_of);
	if (text != NULL)
		put_message(page->to, text);
	free(text);
}
