/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/timestamp.h"

/* "2h" → 7200; false: another form. */
static bool
parse_age(const char *text, double *age_s)
{
	static const struct {
		char	letter;
		double	seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 7 * 86400 } };
	char	*end;
	double	 n = strtod(text, &end);

	if (end == text || !isfinite(n) || n < 0 || strlen(end) != 1)
		return false;
	for (unsigned i = 0; i < sizeof units / sizeof units[0]; i++) {
		if (units[i].letter == *end) {
			*age_s = n * units[i].seconds;
			return true;
		}
	}
	return false;
}

static bool
parse_date(const char *text, double *unix_s)
{
	static const char *const	forms[] = {
		"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M",
		    "%Y-%m-%d %H:%M", "%Y-%m-%d",
	};

	for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct tm	 tm;
		const char	*end;

		memset(&tm, 0, sizeof tm);
		tm.tm_isdst = -1;
		if ((end = strptime(text, forms[i], &tm)) == NULL ||
		    (*end != '\0' && strcmp(end, "Z") != 0))
			continue;
		*unix_s = (double)(*end == 'Z' ? timegm(&tm) : mktime(&tm));
		return true;
	}
	return false;
}

enum status
timestamp_parse(const char *text, time_t now, double *unix_s, struct fault *why)
{
	double	 age_s;
	char	*end;

	if (text[0] == '@') {
		*unix_s = strtod(text + 1, &end);
		if (end != text + 1 && *end == '\0' && isfinite(*unix_s) && *unix_s >= 0)
			return ST_OK;
	} else if (parse_age(text, &age_s)) {
		*unix_s = (double)now - age_s;
		return ST_OK;
	} else if (parse_date(text, unix_s)) {
		return ST_OK;
	}
	(void)fault_set(why, ST_BAD_REQUEST, "\"%s\" is no date or time", text);
	fault_hint(why, "2h, 3d (ago), 2026-01-31, 2026-01-31T12:00, or @ and seconds "
	    "since the epoch");
	return ST_BAD_REQUEST;
}
