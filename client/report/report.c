/* SPDX-License-Identifier: Apache-2.0 */
#include "client/report/part.h"
#include "client/report/report.h"

enum { INDENT = 2, LABEL_COLUMNS = 12, PARTS = 3 };

/* Parts that belong together; a blank line parts the blocks. */
static report_part_fn *const timed[][PARTS] = {
	{ times_put, layout_put },
	{ doubts_put },
	{ operands_put, samples_put, quality_put },
	{ origin_put },
};
static report_part_fn *const failed[][PARTS] = {
	{ advice_put, quality_put },
	{ origin_put },
};

static void
put_block(const struct page *page, report_part_fn *const parts[PARTS], const struct result *r)
{
	(void)fputc('\n', page->to);
	for (unsigned i = 0; i < PARTS && parts[i] != NULL; i++)
		parts[i](page, r);
}

void
report_print(FILE *to, const struct result *r, size_t terminal_columns)
{
	struct page	page;

	page_init(&page, to, terminal_columns, INDENT, LABEL_COLUMNS);
	outcome_put(&page, r);
	if (r->has_time)
		for (unsigned i = 0; i < sizeof timed / sizeof timed[0]; i++)
			put_block(&page, timed[i], r);
	else
		for (unsigned i = 0; i < sizeof failed / sizeof failed[0]; i++)
			put_block(&page, failed[i], r);
}
