/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/utf8.h"
#include "proto/json/text.h"

enum { FIRST_ROOM = 4096, NUMBER_BYTES = 40, DIGITS = 17, FEW_DIGITS = 15 };
#define LEAST_PLAIN	1e-4		/* smaller ones have an exponent */

/* Room for so many bytes more and a terminator. */
static bool
has_room(struct text *t, size_t bytes)
{
	size_t	 room = t->room != 0 ? t->room : FIRST_ROOM;
	char	*at;

	if (t->failed || bytes < t->room - t->bytes)
		return !t->failed;
	while (room - t->bytes <= bytes)
		room *= 2;
	if ((at = realloc(t->at, room)) == NULL) {
		t->failed = true;
		return false;
	}
	t->at = at;
	t->room = room;
	return true;
}

void
text_raw(struct text *t, const char *s, size_t bytes)
{
	if (!has_room(t, bytes))
		return;
	memcpy(t->at + t->bytes, s, bytes);
	t->bytes += bytes;
}

void
text_char(struct text *t, char c)
{
	if (has_room(t, 1))
		t->at[t->bytes++] = c;
}

static bool
is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

static void
put_escape(struct text *t, unsigned char c)
{
	static const char	short_of[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
				    ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\' };
	char			buf[8];

	if (c < sizeof short_of && short_of[c] != '\0')
		(void)snprintf(buf, sizeof buf, "\\%c", short_of[c]);
	else
		(void)snprintf(buf, sizeof buf, "\\u%04x", c);
	text_raw(t, buf, strlen(buf));
}

void
text_string(struct text *t, const char *string)
{
	const unsigned char	*s = (const unsigned char *)string;

	text_char(t, '"');
	while (*s != '\0') {
		size_t	n = 0;

		while (is_plain(s[n]))
			n++;
		if (n == 0 && (*s < ' ' || *s == '"' || *s == '\\'))
			put_escape(t, *s++);
		else if (n == 0 && (n = utf8_bytes((const char *)s, UTF8_MOST)) == 0) {
			text_char(t, '?');
			s++;
		}
		text_raw(t, (const char *)s, n);
		s += n;
	}
	text_char(t, '"');
}

/* The last digit first, so from the end of a buffer on; where they begin. */
static char *
put_whole(char *end, uint64_t i)
{
	char	*at = end;

	do
		*--at = (char)('0' + i % 10);
	while ((i /= 10) != 0);
	return at;
}

void
text_integer(struct text *t, int64_t i)
{
	char		 buf[NUMBER_BYTES], *end = buf + sizeof buf, *at;

	at = put_whole(end, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
	if (i < 0)
		*--at = '-';
	text_raw(t, at, (size_t)(end - at));
}

static char *
put_digits(char *end, uint64_t i, unsigned decimals)
{
	char	*at = end;

	for (unsigned k = 0; k < decimals; k++, i /= 10)
		*--at = (char)('0' + i % 10);
	*--at = '.';
	return put_whole(at, i);
}

/*
 * A number of at most FEW_DIGITS digits, as measured ones are, by integers: far quicker.
 * Numerator and power of ten are exact and their quotient is rounded as a reader rounds it, so what
 * is equal here is equal when it is read again.  false: it has more digits, or an exponent.
 */
static bool
put_few_digits(struct text *t, double x)
{
	static const double	power[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
				    1e11, 1e12, 1e13, 1e14, 1e15 };
	char			buf[NUMBER_BYTES], *end = buf + sizeof buf, *at;
	const double		most = power[FEW_DIGITS], size = fabs(x);
	unsigned		decimals = 0;
	uint64_t		i;

	if (size >= most || (size != 0 && size < LEAST_PLAIN))
		return false;
	while (decimals < FEW_DIGITS && size * power[decimals + 1] < most)
		decimals++;
	i = (uint64_t)(size * power[decimals] + 0.5);
	if ((double)i / power[decimals] != size)
		return false;
	for (; decimals > 1 && i % 10 == 0; i /= 10)
		decimals--;
	at = decimals > 0 ? put_digits(end, i, decimals) : put_digits(end, 10 * i, 1);
	if (signbit(x))
		*--at = '-';
	text_raw(t, at, (size_t)(end - at));
	return true;
}

void
text_real(struct text *t, double x)
{
	char	buf[NUMBER_BYTES];
	size_t	n;

	if (!isfinite(x)) {
		text_null(t);
		return;
	}
	if (put_few_digits(t, x))
		return;
	n = (size_t)snprintf(buf, sizeof buf - 2, "%.*g", DIGITS, x);
	if (strcspn(buf, ".e") == n) {		/* so that it is read as a real again */
		(void)strcpy(buf + n, ".0");
		n += 2;
	}
	text_raw(t, buf, n);
}

void
text_flag(struct text *t, bool flag)
{
	text_raw(t, flag ? "true" : "false", flag ? 4 : 5);
}

void
text_null(struct text *t)
{
	text_raw(t, "null", 4);
}

void
text_json(struct text *t, const json_t *value)
{
	const size_t	flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS;
	const size_t	n = json_dumpb(value, NULL, 0, flags);

	if (n == 0)
		t->failed = true;
	else if (has_room(t, n)) {
		(void)json_dumpb(value, t->at + t->bytes, n, flags);
		t->bytes += n;
	}
}

void
text_comma(struct text *t)
{
	if (t->bytes != 0 && t->at[t->bytes - 1] != '{' && t->at[t->bytes - 1] != '[')
		text_char(t, ',');
}

void
text_name(struct text *t, const char *name)
{
	text_comma(t);
	text_string(t, name);
	text_char(t, ':');
}

char *
text_take(struct text *t)
{
	char	*at = NULL;

	if (has_room(t, 0)) {
		t->at[t->bytes] = '\0';
		at = t->at;
	} else
		free(t->at);
	*t = (struct text){ .at = NULL };
	return at;
}
