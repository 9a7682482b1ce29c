/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/spec/spec_parts.h"

/*
 * Moments and times of day, without the C library's time zones: a document means the same on every
 * host.
 */

enum { MINUTES_A_DAY = 24 * 60 };

/* Two digits as a number, or -1. */
static int
two_digits(const char *s)
{
	if (s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9')
		return -1;
	return 10 * (s[0] - '0') + s[1] - '0';
}

static bool
is_leap(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int
days_in(int year, int month)
{
	static const int	days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

static int64_t
days_since_epoch(int year, int month, int day)
{
	int64_t	days = day - 1;

	for (int m = 1; m < month; m++)
		days += days_in(year, m);
	for (int y = 1970; y < year; y++)
		days += 365 + is_leap(y);
	return days;
}

/* "YYYY-MM-DDTHH:MM:SS" as seconds of UTC. */
static bool
read_clock(const char *s, int64_t *out)
{
	static const char	shape[] = "dddd-dd-ddTdd:dd:dd";
	int			year, month, day, hour, minute, second;

	for (size_t i = 0; shape[i] != '\0'; i++)
		if (shape[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != shape[i])
			return false;
	year = 100 * two_digits(s) + two_digits(s + 2);
	month = two_digits(s + 5);
	day = two_digits(s + 8);
	hour = two_digits(s + 11);
	minute = two_digits(s + 14);
	second = two_digits(s + 17);
	if (year < 1970 || month < 1 || month > 12 || day < 1 ||
	    day > days_in(year, month) || hour > 23 || minute > 59 || second > 59)
		return false;
	*out = ((days_since_epoch(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
	return true;
}

/* "HH:MM" as minutes, or -1. */
static int
read_minutes(const char *s)
{
	int	hour = two_digits(s), minute;

	if (hour < 0 || hour > 23 || s[2] != ':' || (minute = two_digits(s + 3)) < 0 || minute > 59)
		return -1;
	return 60 * hour + minute;
}

/* "Z" or "±HH:MM" to the end, as minutes east of Greenwich. */
static bool
read_zone(const char *s, int *minutes)
{
	*minutes = 0;
	if (strcmp(s, "Z") == 0)
		return true;
	if ((*s != '+' && *s != '-') || strlen(s) != 6 || (*minutes = read_minutes(s + 1)) < 0)
		return false;
	if (*s == '-')
		*minutes = -*minutes;
	return true;
}

static bool
read_moment(const char *s, int64_t *out)
{
	int	zone;

	if (strlen(s) < sizeof "YYYY-MM-DDTHH:MM:SS" || !read_clock(s, out))
		return false;
	s += sizeof "YYYY-MM-DDTHH:MM:SS" - 1;
	if (*s == '.' && s[1] >= '0' && s[1] <= '9')
		s += 1 + strspn(s + 1, "0123456789");
	if (!read_zone(s, &zone))
		return false;
	*out -= (int64_t)60 * zone;
	return *out >= 0;
}

enum status
spec_get_moment(void *seconds, const struct node *n, struct fault *why)
{
	int64_t		*out = seconds;
	const char	*text = json_string_value(n->value);
	enum status	 st;

	if (json_is_number(n->value))
		return decode_integer(n, 0, SPEC_MOMENT_MAX, out, why);
	if (text != NULL && read_moment(text, out))
		return ST_OK;
	st = decode_refuse(n, NULL, why,
	    "must be seconds since 1970 or a date and time of RFC 3339");
	fault_hint(why, "\"2026-01-02T22:00:00Z\" or \"2026-01-02T22:00:00+01:00\"");
	return st;
}

enum status
spec_get_window(const struct node *n, int *from, int *to, struct fault *why)
{
	const char	*text = json_string_value(n->value);
	enum status	 st;

	if (text != NULL && strlen(text) == 11 && text[5] == '-') {
		*from = read_minutes(text);
		*to = read_minutes(text + 6);
		if (*from >= 0 && *to >= 0 && *from != *to)
			return ST_OK;
	}
	*from = *to = -1;
	st = decode_refuse(n, NULL, why, "must be two different times of day");
	fault_hint(why, "\"22:00-06:00\" is the night");
	return st;
}
