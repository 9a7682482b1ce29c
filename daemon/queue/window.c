/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "daemon/queue/window.h"

/*
 * Time zones change their offset at a full quarter of an hour of UTC, and between two of these the
 * minutes of the day count up.  So within a quarter a change is computed, and beyond it the window
 * is looked at again: an hour that is skipped or comes twice needs no rule of its own.
 */
enum { QUARTER_S = 900, MINUTES_A_DAY = 24 * 60 };

static struct tm
local(int64_t now)
{
	const time_t	t = (time_t)now;
	struct tm	tm = { 0 };

	(void)localtime_r(&t, &tm);
	return tm;
}

static bool
is_open_at(struct window w, int minute)
{
	if (w.from <= w.to)
		return minute >= w.from && minute < w.to;
	return minute >= w.from || minute < w.to;	/* passes midnight */
}

bool
window_is_open(struct window w, int64_t now)
{
	const struct tm	tm = local(now);

	return w.from < 0 || is_open_at(w, tm.tm_hour * 60 + tm.tm_min);
}

int64_t
window_look_again(struct window w, int64_t now)
{
	const struct tm	tm = local(now);
	const int	minute = tm.tm_hour * 60 + tm.tm_min;
	const int64_t	quarter = now - now % QUARTER_S + QUARTER_S;
	int64_t		change;
	int		left;

	if (w.from < 0)
		return INT64_MAX;
	left = (is_open_at(w, minute) ? w.to : w.from) - minute;
	if (left <= 0)
		left += MINUTES_A_DAY;
	change = now - tm.tm_sec + (int64_t)left * 60;
	return change < quarter ? change : quarter;
}

int64_t
window_next_opening(struct window w, int64_t now)
{
	enum { DAYS = 3 };		/* an hour that a window is of may be skipped on one */
	const int64_t	end = now + (int64_t)DAYS * MINUTES_A_DAY * 60;

	if (w.from < 0 || window_is_open(w, now))
		return 0;
	while (now < end && !window_is_open(w, now))
		now = window_look_again(w, now);
	return now < end ? now : 0;
}
