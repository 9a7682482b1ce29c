/* SPDX-License-Identifier: Apache-2.0 */
/* What several formats have of a result. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "daemon/export/export_impl.h"

bool
export_is_timed(const struct result *r)
{
	return r->status != NULL && strcmp(r->status, "ok") == 0 && r->has_time &&
	    r->time.value_ns > 0;
}

bool
export_is_checked(const struct result *r)
{
	return r->found.has_check && r->found.check.done && r->found.check.passed;
}

double
export_stage(double ms)
{
	return isfinite(ms) && ms > 0 ? ms : 0;
}

void
export_moment(double unix_s, char between, char buf[EXPORT_TIME_BYTES])
{
	const double	 sane = unix_s > 0 && unix_s < 253402300800.0 ? unix_s : 0;
	const time_t	 whole = (time_t)sane;
	struct tm	 tm;
	size_t		 n;

	(void)gmtime_r(&whole, &tm);
	n = strftime(buf, EXPORT_TIME_BYTES, between == 'T' ? "%Y-%m-%dT%H:%M:%S" :
	    "%Y-%m-%d %H:%M:%S", &tm);
	(void)snprintf(buf + n, EXPORT_TIME_BYTES - n, ".%06u+00:00",
	    (unsigned)((sane - (double)whole) * 1e6) % 1000000);
}

void
export_device(const struct export *e, char *buf, size_t bytes)
{
	(void)snprintf(buf, bytes, "%s%s", e->head.host_class != NULL ? "host class " :
	    "unknown host", e->head.host_class != NULL ? e->head.host_class : "");
}

void
export_member_real(struct text *out, const char *name, double x)
{
	if (!isfinite(x))
		return;
	text_name(out, name);
	text_real(out, x);
}

void
export_member_text(struct text *out, const char *name, const char *s)
{
	if (s == NULL)
		return;
	text_name(out, name);
	text_string(out, s);
}

static enum status
keep_finished(void *arg, const struct result_row *row)
{
	double	*finished = arg;
	json_t	*doc = row->json != NULL ? json_loadb(row->json, row->json_bytes, 0, NULL) : NULL;

	*finished = json_number_value(json_object_get(doc, "finished"));
	json_decref(doc);
	return ST_OK;
}

double
export_last(struct export *e)
{
	const struct result_filter	filter = { .sweep_id = e->sweep_id, .status = -1,
					    .submitter = -1, .order = ORDER_NEWEST, .limit = 1 };
	double				finished = 0;
	struct fault			why;

	(void)store_results(e->store, &filter, keep_finished, &finished, &why);
	return finished;
}
