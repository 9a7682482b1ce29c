/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "client/print/format.h"
#include "client/report/part.h"

static bool
was_varied(const struct result_layouts *l, const char *name)
{
	const struct result_layout_point	*each = l->each.at;

	for (size_t i = 0; i < l->each.n; i++)
		if (part_is(each[i].varied, name))
			return true;
	return false;
}

/* A share that is none though the factor was varied is less than repeating alone makes. */
static void
add_factor(struct entry *e, const struct result_layouts *l, bool *any, const char *name,
    double share)
{
	char	a[FORMAT_BYTES];

	if (isnan(share) && !was_varied(l, name))
		return;
	entry_append(e, "%s%s %s", *any ? ", " : " (", name,
	    isnan(share) ? "below repetition" : format_percent(share, a));
	*any = true;
}

/* "3.2 % between the times of 8 layouts (code 3.0 %, operands below repetition), …" */
static void
put_spread(const struct page *page, const struct result_layouts *l)
{
	struct entry	e;
	char		a[FORMAT_BYTES];
	bool		any = false;

	if (isnan(l->spread))
		return;
	entry_begin(&e, page, "layout");
	entry_clause(&e, "%s between the times of %" PRIu64 " layouts in memory",
	    format_percent(l->spread, a), part_has_size(l->layouts) ? l->layouts : 0);
	if (l->has_by) {
		add_factor(&e, l, &any, "code", l->by.code);
		add_factor(&e, l, &any, "operands", l->by.operands);
		add_factor(&e, l, &any, "stack", l->by.stack);
	}
	entry_append(&e, "%s", any ? ")" : "");
	if (!isnan(l->repeat))
		entry_clause(&e, "%s between two processes with the same layout",
		    format_percent(l->repeat, a));
	if (l->cut_short)
		entry_clause(&e, "cut short by the time limit");
	entry_end(&e);
}

static void
put_unvaried(const struct page *page, const struct shape_list *stays)
{
	const struct shape_note	*note = stays->at;
	struct entry		 e;

	entry_begin(&e, page, "unvaried");
	for (size_t i = 0; i < stays->n; i++)
		entry_clause(&e, "%s: %s", note[i].name, note[i].text);
	entry_end(&e);
}

void
layout_put(const struct page *page, const struct result *r)
{
	if (!r->has_layout || !r->layout.has_several)
		return;
	put_spread(page, &r->layout.several);
	put_unvaried(page, &r->layout.several.stays);
}
