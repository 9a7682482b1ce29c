/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "daemon/view/column.h"

enum { ROOM_AT_FIRST = 4096, INT_BYTES = 24 };

static const double	LARGEST_WHOLE = 1e15;

void
column_release(struct column *c)
{
	free(c->text);
	*c = (struct column){ .text = NULL };
}

static bool
reserve(struct column *c, size_t bytes)
{
	size_t	 room = c->room != 0 ? c->room : ROOM_AT_FIRST;
	char	*text;

	if (c->has_failed)
		return false;
	if (c->used + bytes <= c->room)
		return true;
	while (room < c->used + bytes)
		room *= 2;
	if ((text = realloc(c->text, room)) == NULL) {
		c->has_failed = true;
		return false;
	}
	c->text = text;
	c->room = room;
	return true;
}

static void
add(struct column *c, const char *entry, size_t n)
{
	if (!reserve(c, n + 2))
		return;
	c->text[c->used] = c->used == 0 ? '[' : ',';
	memcpy(c->text + c->used + 1, entry, n);
	c->used += n + 1;
}

void
column_int(struct column *c, int64_t v)
{
	char		 digits[INT_BYTES], *p = digits + sizeof digits;
	uint64_t	 rest = v < 0 ? -(uint64_t)v : (uint64_t)v;

	do
		*--p = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (v < 0)
		*--p = '-';
	add(c, p, (size_t)(digits + sizeof digits - p));
}

void
column_null(struct column *c)
{
	add(c, "null", 4);
}

/* A number that has all of its digits before the point, as a whole one: without printf. */
static bool
add_whole(struct column *c, double x, int digits)
{
	double	limit = 1, unit = 1;

	for (; digits > 0; digits--)
		limit *= 10;
	if (!(x >= limit / 10 && x < LARGEST_WHOLE))
		return false;
	while (x / unit >= limit)
		unit *= 10;
	column_int(c, (int64_t)(round(x / unit) * unit));
	return true;
}

void
column_number(struct column *c, double x, int digits)
{
	char	text[40];

	if (add_whole(c, x, digits))
		return;
	if (isfinite(x))
		add(c, text, (size_t)snprintf(text, sizeof text, "%.*g", digits, x));
	else
		column_null(c);
}

/* Needs it escapes, between quotes? */
static bool
is_plain(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ' || *s == '"' || *s == '\\')
			return false;
	return true;
}

static void
add_escaped(struct column *c, const char *s)
{
	json_t	*value = json_string(s);
	char	*text = value != NULL ? json_dumps(value, JSON_ENCODE_ANY) : NULL;

	if (text != NULL)
		add(c, text, strlen(text));
	else
		c->has_failed = true;
	free(text);
	json_decref(value);
}

void
column_string(struct column *c, const char *s)
{
	const size_t	n = strlen(s);

	if (!is_plain(s)) {
		add_escaped(c, s);
		return;
	}
	if (!reserve(c, n + 4))
		return;
	c->text[c->used] = c->used == 0 ? '[' : ',';
	c->text[c->used + 1] = '"';
	memcpy(c->text + c->used + 2, s, n);
	c->text[c->used + 2 + n] = '"';
	c->used += n + 3;
}

const char *
column_array(struct column *c)
{
	if (!reserve(c, 3))
		return NULL;
	if (c->used == 0)
		c->text[c->used++] = '[';
	c->text[c->used] = ']';
	c->text[c->used + 1] = '\0';
	return c->text;
}
