/* SPDX-License-Identifier: Apache-2.0 */
/* A table in GitHub's Markdown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/export/export_impl.h"
#include "proto/json/markdown.h"

static void
put(struct text *out, const char *s)
{
	text_raw(out, s, strlen(s));
}

static void
put_ns(struct text *out, double ns)
{
	char	number[40] = "";

	if (isfinite(ns) && ns > 0)
		(void)snprintf(number, sizeof number, " %.*f |", ns < 1000 ? 2 : 0, ns);
	put(out, number[0] != '\0' ? number : " |");
}

/* ---- the format ---- */

static enum status
begin(struct export *e, struct text *out, struct fault *why)
{
	(void)why;
	put(out, "**");
	markdown_put(out, e->sweep.name);
	put(out, "**\n\n| job | variant |");
	for (size_t i = 0; export_values(e, i) != NULL; i++)
		markdown_cell(out, export_dimension(e, i));
	put(out, " outcome | time (ns) | from (ns) | to (ns) | checked | trust |\n|--:|---|");
	for (size_t i = 0; export_values(e, i) != NULL; i++)
		put(out, "---|");
	put(out, "---|--:|--:|--:|---|---|\n");
	return ST_OK;
}

static void
put_values(const struct export *e, struct text *out, const struct export_row *row)
{
	for (size_t i = 0; export_values(e, i) != NULL; i++) {
		json_t	*value = export_value(e, i, row);
		char	*plain = export_plain(value, EXPORT_JSON_WORDS);

		markdown_cell(out, plain != NULL ? plain : "");
		free(plain);
		json_decref(value);
	}
}

static bool
put_row(struct export *e, struct text *out, const struct export_row *row)
{
	const struct result	*r = row->result;
	double			 ci95_ns[2] = { NAN, NAN };
	char			 job[32];

	if (!r->has_time || !result_interval(&r->time, ci95_ns))
		ci95_ns[0] = ci95_ns[1] = NAN;
	(void)snprintf(job, sizeof job, "| %lld |", (long long)r->job);
	put(out, job);
	markdown_cell(out, r->name != NULL ? r->name : "");
	put_values(e, out, row);
	markdown_cell(out, r->has_time && r->time.raced ? "raced" :
	    r->status != NULL ? r->status : "");
	put_ns(out, r->has_time ? r->time.value_ns : NAN);
	put_ns(out, ci95_ns[0]);
	put_ns(out, ci95_ns[1]);
	markdown_cell(out, export_is_checked(r) ? "yes" : "no");
	markdown_cell(out, r->found.trust != NULL ? r->found.trust : "");
	put(out, "\n");
	return true;
}

static void
end(struct export *e, struct text *out)
{
	(void)e;
	(void)out;
}

const struct export_format	export_markdown = {
	.name = "markdown", .type = "text/markdown; charset=utf-8", .suffix = ".md",
	.begin = begin, .row = put_row, .end = end,
};
