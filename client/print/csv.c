/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "client/print/csv.h"
#include "proto/wire/result_csv.h"

static void
put_line(FILE *to, struct text *line)
{
	char	*s;

	text_char(line, '\n');
	if ((s = text_take(line)) != NULL)
		(void)fputs(s, to);
	free(s);
}

void
csv_put_heading(FILE *to)
{
	struct text	line = { .at = NULL };

	result_csv_heading(&line);
	put_line(to, &line);
}

void
csv_put_result(FILE *to, const struct result *r)
{
	struct text	line = { .at = NULL };

	result_csv_row(&line, r);
	put_line(to, &line);
}
