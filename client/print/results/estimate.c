/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/results/estimate.h"

/* Why there is no time. */
static const struct {
	const char	*word, *text;
	bool		 has_until;
} unknown[] = {
	{ "no_rate", "time not known before a job has ended", false },
	{ "no_place", "no slot or builder takes it now", false },
	{ "paused", "paused", false },
	{ "quota", "its user's time of the day is used up", true },
	{ "not_before", "asleep", true },
	{ "window", "outside its window", true },
	{ "not_ready", "asleep or paused", false },
	{ "cancelled", "about to end", false },
	{ "reading", "the daemon is reading its queue", false },
};

char *
estimate_duration(double s, char *buf, size_t bytes)
{
	static const struct {
		double		 below_s, unit_s;
		const char	*unit;
	} units[] = {
		{ 100, 1, "s" }, { 6000, 60, "min" }, { 36 * 3600, 3600, "h" },
		{ INFINITY, 86400, "days" },
	};
	unsigned	i = 0;

	while (s >= units[i].below_s && isfinite(units[i].below_s))
		i++;
	(void)snprintf(buf, bytes, "%.*f %s", i >= 2 && s < 10 * units[i].unit_s ? 1 : 0,
	    fmax(s, 0) / units[i].unit_s, units[i].unit);
	return buf;
}

static void
put_unknown(const json_t *eta, char *buf)
{
	const char	*word = member_text(eta, "unknown");
	const double	 until = member_number(eta, "until");
	char		 when[FORMAT_BYTES];

	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
		if (strcmp(word, unknown[i].word) != 0)
			continue;
		(void)snprintf(buf, ESTIMATE_WORDS_BYTES, "%s%s%s", unknown[i].text,
		    unknown[i].has_until && isfinite(until) ? " until " : "",
		    unknown[i].has_until && isfinite(until) ? format_time(until, when) : "");
	}
}

char *
estimate_time(const json_t *reply, char *buf)
{
	const double	eta_s = member_number(reply, "eta_s");
	char		time[FORMAT_BYTES];

	buf[0] = '\0';
	if (eta_s < 1)
		(void)snprintf(buf, ESTIMATE_WORDS_BYTES, "less than 1 s");
	else if (isfinite(eta_s))
		(void)snprintf(buf, ESTIMATE_WORDS_BYTES, "about %s",
		    estimate_duration(eta_s, time, sizeof time));
	else
		put_unknown(json_object_get(reply, "eta"), buf);
	return buf;
}

char *
estimate_words(const json_t *reply, const char *of, char *buf)
{
	const double	position = member_number(reply, "position");
	size_t		used = strlen(estimate_time(reply, buf));

	if (isfinite(position))
		(void)snprintf(buf + used, ESTIMATE_WORDS_BYTES - used, "%s%.0f job%s before %s",
		    used != 0 ? "; " : "", position, position > 1 || position < 1 ? "s" : "", of);
	return buf;
}
