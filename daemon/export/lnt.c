/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report for LNT, LLVM's performance server, of version 2 for its suite "nts".  Times are
 * seconds.  The run's order is `revision` of the sweep's meta, else the number of the sweep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/export/export_impl.h"

static enum status
begin(struct export *e, struct text *out, struct fault *why)
{
	char	device[120];

	(void)why;
	export_device(e, device, sizeof device);
	text_char(out, '{');
	export_member_text(out, "format_version", "2");
	text_name(out, "machine");
	text_char(out, '{');
	export_member_text(out, "name", device);
	if (e->head.has_compiler) {
		export_member_text(out, "compiler", e->head.compiler.version);
		export_member_text(out, "target", e->head.compiler.target);
	}
	text_char(out, '}');
	text_name(out, "tests");
	text_raw(out, "[\n", 2);
	return ST_OK;
}

/* LNT's words for an outcome are numbers: 0 it passed, 1 it failed. */
static void
put_status(struct text *out, const char *name, bool failed)
{
	text_name(out, name);
	text_integer(out, failed);
}

static bool
put_row(struct export *e, struct text *out, const struct export_row *row)
{
	const struct result	*r = row->result;
	const bool		 built = r->invalidity == NULL ||
				    strcmp(r->invalidity, "compile") != 0;
	char			*label = export_label(e, r);

	if (e->rows > 0)
		text_raw(out, ",\n", 2);
	text_char(out, '{');
	export_member_text(out, "name", label != NULL ? label : "");
	put_status(out, "compile_status", !built);
	put_status(out, "execution_status", !export_is_timed(r));
	export_member_real(out, "compile_time", r->stages_ms.build / 1e3);
	if (export_is_timed(r))
		export_member_real(out, "execution_time", r->time.value_ns / 1e9);
	export_member_text(out, "hash", r->binary);
	if (r->code_bytes != SHAPE_NO_SIZE) {
		text_name(out, "code_size");
		text_integer(out, (int64_t)r->code_bytes);
	}
	text_char(out, '}');
	out->failed |= label == NULL;
	free(label);
	return true;
}

/* "2026-01-31T12:00:00", which LNT takes for UTC. */
static void
put_time(struct text *out, const char *name, double unix_s)
{
	char	moment[EXPORT_TIME_BYTES];

	export_moment(unix_s, 'T', moment);
	moment[strlen("2026-01-31T12:00:00")] = '\0';
	export_member_text(out, name, moment);
}

static void
end(struct export *e, struct text *out)
{
	const json_t	*revision = json_object_get(e->head.meta, "revision");
	const double	 last = export_last(e);
	char		*order = json_is_string(revision) || json_is_number(revision) ?
			    export_plain(revision, EXPORT_JSON_WORDS) : NULL, number[32];

	(void)snprintf(number, sizeof number, "%lld", (long long)e->sweep.id);
	text_raw(out, "\n],\"run\":{", strlen("\n],\"run\":{"));
	put_time(out, "start_time", e->sweep.submitted);
	put_time(out, "end_time", last > 0 ? last : e->sweep.submitted);
	export_member_text(out, "llvm_project_revision", order != NULL ? order : number);
	export_member_text(out, "tag", "nts");
	export_member_text(out, "sweep", e->sweep.name);
	text_raw(out, "}}\n", 3);
	free(order);
}

const struct export_format	export_lnt = {
	.name = "lnt", .type = "application/json", .suffix = ".lnt.json", .needs_unique = true,
	.begin = begin, .row = put_row, .end = end,
};
