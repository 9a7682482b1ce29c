/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "client/print/format.h"
#include "client/report/part.h"

static void
put_compiler(const struct page *page, const struct result *r)
{
	const json_t	*flag;
	struct entry	 e;
	size_t		 i;

	if (!r->has_compiler || r->compiler.name == NULL)
		return;
	entry_begin(&e, page, "compiler");
	entry_add(&e, "%s", r->compiler.name);
	json_array_foreach(r->flags, i, flag)
		if (json_is_string(flag))
			entry_append(&e, " %s", json_string_value(flag));
	if (r->compiler.version != NULL)
		entry_add(&e, "%s", r->compiler.version);
	if (r->compiler.target != NULL)
		entry_add(&e, "%s", r->compiler.target);
	entry_end(&e);
}

static void
add_stage(struct entry *e, const char *name, double ms)
{
	char	a[FORMAT_BYTES];

	if (!isnan(ms))
		entry_add(e, "%s %s", name, format_duration_ns(ms * 1e6, a));
}

static void
put_job(const struct page *page, const struct result *r)
{
	struct entry	e;

	entry_begin(&e, page, "job");
	if (r->job != INT64_MIN)
		entry_add(&e, "%" PRId64, r->job);
	add_stage(&e, "queued", r->stages_ms.queued);
	add_stage(&e, "build", r->stages_ms.build);
	add_stage(&e, "waited", r->stages_ms.waited);
	add_stage(&e, "run", r->stages_ms.run);
	entry_end(&e);
}

void
origin_put(const struct page *page, const struct result *r)
{
	put_compiler(page, r);
	put_job(page, r);
}
