/* SPDX-License-Identifier: Apache-2.0 */
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "client/print/format.h"
#include "proto/base/cpulist.h"
#include "proto/base/utf8.h"

static bool	is_utf8;

void
format_init(void)
{
	is_utf8 = setlocale(LC_CTYPE, "") != NULL && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool
format_is_utf8(void)
{
	return is_utf8;
}

/* Decimals for four significant digits of x >= 0; rounding may add a fifth. */
static int
decimals_of(double x)
{
	return x < 9.9995 ? x < 0.99995 ? 4 : 3 : x < 99.995 ? 2 : x < 999.95 ? 1 : 0;
}

static char *
not_finite(char *buf)
{
	return strcpy(buf, "-");
}

char *
format_number(double x, char *buf)
{
	if (!isfinite(x))
		return not_finite(buf);
	(void)snprintf(buf, FORMAT_BYTES, fabs(x) < 1e15 ? "%.*f" : "%.*e",
	    x == 0 ? 0 : decimals_of(fabs(x)), x);
	return buf;
}

/* x in the largest unit of which it has one at least.  Each unit is 1000 of the last. */
static char *
in_units(double x, const char *const *units, char *buf)
{
	char	digits[FORMAT_BYTES];

	if (!isfinite(x))
		return not_finite(buf);
	for (; units[1] != NULL && fabs(x) >= 999.95; units++)
		x /= 1000;
	(void)snprintf(buf, FORMAT_BYTES, "%.20s %s", format_number(x, digits), units[0]);
	return buf;
}

char *
format_duration_ns(double ns, char *buf)
{
	static const char *const	utf8[] = { "ns", "\xc2\xb5s", "ms", "s", NULL };
	static const char *const	ascii[] = { "ns", "us", "ms", "s", NULL };

	return in_units(ns, is_utf8 ? utf8 : ascii, buf);
}

char *
format_hz(double hz, char *buf)
{
	static const char *const	units[] = { "Hz", "kHz", "MHz", "GHz", NULL };

	return in_units(hz, units, buf);
}

char *
format_percent(double fraction, char *buf)
{
	if (!isfinite(fraction))
		return not_finite(buf);
	(void)snprintf(buf, FORMAT_BYTES, fabs(fraction) < 1e6 ? "%.1f %%" : "%.1e %%",
	    100 * fraction);
	return buf;
}

char *
format_ratio(double ratio, char *buf)
{
	if (!isfinite(ratio))
		return not_finite(buf);
	(void)snprintf(buf, FORMAT_BYTES, ratio < 100 ? "%.2fx" : "%.4gx", ratio);
	return buf;
}

char *
format_bytes(double bytes, char *buf)
{
	static const char *const	units[] = { "B", "KiB", "MiB", "GiB", "TiB", NULL };
	unsigned			u = 0;

	if (!isfinite(bytes))
		return not_finite(buf);
	for (; units[u + 1] != NULL && fabs(bytes) >= 1024; u++)
		bytes /= 1024;
	(void)snprintf(buf, FORMAT_BYTES, bytes == floor(bytes) ? "%.0f %s" : "%.1f %s",
	    bytes, units[u]);
	return buf;
}

char *
format_time(double unix_s, char *buf)
{
	time_t		t = (time_t)unix_s;
	struct tm	tm;

	if (!isfinite(unix_s) || fabs(unix_s) > 1e15 || localtime_r(&t, &tm) == NULL ||
	    strftime(buf, FORMAT_BYTES, "%Y-%m-%d %H:%M:%S", &tm) == 0)
		return not_finite(buf);
	return buf;
}

char *
format_cpus(const cpu_set_t *cpus, char *buf)
{
	char	list[FORMAT_CPUS_BYTES - sizeof "CPUs "];

	buf[0] = '\0';
	if (CPU_COUNT(cpus) != 0)
		(void)snprintf(buf, FORMAT_CPUS_BYTES, "CPU%s %s", CPU_COUNT(cpus) > 1 ? "s" : "",
		    cpulist_format(cpus, list, sizeof list));
	return buf;
}

/* ---- words ---- */

/* Bytes of the character at s, 1 if it is none. *columns: its width, 0 for control characters. */
static size_t
step(const char *s, size_t *columns)
{
	mbstate_t	state = { 0 };
	wchar_t		wc;
	size_t		n = mbrtowc(&wc, s, MB_LEN_MAX, &state);
	int		w;

	*columns = 1;
	if (n == 0 || n > MB_LEN_MAX)
		return 1;
	w = wcwidth(wc);
	*columns = w > 0 ? (size_t)w : 0;
	return n;
}

/* C0, DEL, an unseen character, or a byte that is no character of this locale. */
static bool
is_control(const char *s, size_t n)
{
	const unsigned char	*u = (const unsigned char *)s;
	char			 escaped[UTF8_ESCAPED];

	return u[0] < 0x20 || u[0] == 0x7f || (n == 1 && u[0] >= 0x80) ||
	    utf8_escape(s, escaped) != 0;
}

char *
format_clean(char *text, bool lines)
{
	char	*to = text;

	for (const char *s = text; *s != '\0';) {
		size_t	columns, n = step(s, &columns);

		if (*s == '\t' || *s == '\n')
			*to++ = *s == '\n' && lines ? '\n' : ' ';
		else if (is_control(s, n))
			*to++ = '?';
		else
			to = (char *)memmove(to, s, n) + n;
		s += n;
	}
	*to = '\0';
	return text;
}

/* Six bytes for two at least. */
enum { ESCAPE_GROWTH = 3 };

char *
format_shown(const char *text)
{
	char	*shown = malloc(ESCAPE_GROWTH * strlen(text) + 1), *to = shown;
	char	 escaped[UTF8_ESCAPED];
	size_t	 n;

	if (shown == NULL)
		return NULL;
	for (; *text != '\0'; text += n) {
		if ((n = utf8_escape(text, escaped)) != 0)
			to = stpcpy(to, escaped);
		else
			*to++ = text[n++];
	}
	*to = '\0';
	return format_clean(shown, false);
}

size_t
format_width(const char *s)
{
	size_t	sum = 0, columns;

	while (*s != '\0') {
		s += step(s, &columns);
		sum += columns;
	}
	return sum;
}

size_t
format_cut(const char *s, size_t columns)
{
	const char	*from = s;
	size_t		 sum = 0, one;

	while (*s != '\0') {
		size_t	n = step(s, &one);

		if (sum + one > columns)
			break;
		sum += one;
		s += n;
	}
	return (size_t)(s - from);
}
