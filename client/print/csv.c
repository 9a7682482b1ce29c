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
csv_put_heading(FILE *to, bool cores)
{
	struct text	line = { .at = NULL };

	result_csv_heading(&line);
	if (cores)
		result_csv_core_heading(&line);
	put_line(to, &line);
}

void
csv_put_result(FILE *to, const struct result *r, bool cores)
{
	const struct shape_list		*list = &r->time.cores;
	const struct result_core	*core = list->at;
	const size_t			 n = cores && r->has_time && list->n > 0 ? list->n : 1;

	for (size_t i = 0; i < n; i++) {
		struct text	line = { .at = NULL };

		result_csv_row(&line, r);
		if (cores)
			result_csv_core(&line, r->has_time && list->n > 0 ? &core[i] : NULL);
		put_line(to, &line);
	}
}
