/* SPDX-License-Identifier: Apache-2.0 */
/* Bencher Metric Format: the times of ok results in nanoseconds, with their 95 % intervals. */
#include <stdlib.h>

#include "daemon/export/export_impl.h"

static enum status
begin(struct export *e, struct text *out, struct fault *why)
{
	(void)e;
	(void)why;
	text_raw(out, "{\n", 2);
	return ST_OK;
}

/* A result without a time has nothing to say here. */
static bool
put_row(struct export *e, struct text *out, const struct export_row *row)
{
	const struct result	*r = row->result;
	double			 ci95_ns[2];
	char			*label;

	if (!export_is_timed(r))
		return false;
	label = export_label(e, r);
	if (e->rows > 0)
		text_raw(out, ",\n", 2);
	text_string(out, label != NULL ? label : "");
	text_raw(out, ":{\"latency\":{", 13);
	export_member_real(out, "value", r->time.value_ns);
	if (result_interval(&r->time, ci95_ns)) {
		export_member_real(out, "lower_value", ci95_ns[0]);
		export_member_real(out, "upper_value", ci95_ns[1]);
	}
	text_raw(out, "}}", 2);
	out->failed |= label == NULL;
	free(label);
	return true;
}

static void
end(struct export *e, struct text *out)
{
	(void)e;
	text_raw(out, "\n}\n", 3);
}

const struct export_format	export_bencher = {
	.name = "bencher", .type = "application/json", .suffix = ".bmf.json",
	.needs_unique = true, .begin = begin, .row = put_row, .end = end,
};
