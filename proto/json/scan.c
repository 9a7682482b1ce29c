/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/utf8.h"
#include "proto/json/scan.h"

struct cursor {
	const char	*at, *end;
	unsigned	 depth;
};

static bool	scan_value(struct cursor *);

static void
skip_space(struct cursor *c)
{
	while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' ||
	    *c->at == '\r'))
		c->at++;
}

static bool
take(struct cursor *c, char wanted)
{
	if (c->at == c->end || *c->at != wanted)
		return false;
	c->at++;
	return true;
}

/* ---- strings ---- */

static int
digit16(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
	    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Behind a backslash. */
static bool
scan_escape(struct cursor *c)
{
	if (c->at == c->end || strchr("\"\\/bfnrtu", *c->at) == NULL || *c->at == '\0')
		return false;
	if (*c->at++ != 'u')
		return true;
	for (int i = 0; i < 4; i++, c->at++)
		if (c->at == c->end || digit16(*c->at) < 0)
			return false;
	return true;
}

static bool
scan_quoted(struct cursor *c)
{
	size_t	n;

	if (!take(c, '"'))
		return false;
	while (c->at < c->end) {
		const unsigned char	byte = (unsigned char)*c->at;

		if (byte >= 0x80) {
			if ((n = utf8_bytes(c->at, (size_t)(c->end - c->at))) == 0)
				return false;
			c->at += n;
			continue;
		}
		c->at++;
		if (byte == '"')
			return true;
		if (byte < 0x20 || (byte == '\\' && !scan_escape(c)))
			return false;
	}
	return false;
}

/* ---- other values ---- */

static bool
scan_digits(struct cursor *c)
{
	const char	*from = c->at;

	while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
		c->at++;
	return c->at > from;
}

static bool
scan_number(struct cursor *c)
{
	(void)take(c, '-');
	if (!take(c, '0') && !scan_digits(c))
		return false;
	if (take(c, '.') && !scan_digits(c))
		return false;
	if (take(c, 'e') || take(c, 'E')) {
		if (!take(c, '+'))
			(void)take(c, '-');
		return scan_digits(c);
	}
	return true;
}

static bool
scan_word(struct cursor *c, const char *word)
{
	const size_t	n = strlen(word);

	if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
		return false;
	c->at += n;
	return true;
}

static bool
scan_entry(struct cursor *c, bool is_object)
{
	skip_space(c);
	if (is_object) {
		if (!scan_quoted(c))
			return false;
		skip_space(c);
		if (!take(c, ':'))
			return false;
		skip_space(c);
	}
	if (!scan_value(c))
		return false;
	skip_space(c);
	return true;
}

/* An object or an array. */
static bool
scan_nested(struct cursor *c, char closing)
{
	bool	is_whole;

	if (++c->depth > SCAN_MAX_DEPTH)
		return false;
	c->at++;
	skip_space(c);
	if (!(is_whole = take(c, closing))) {
		do {
			if (!scan_entry(c, closing == '}'))
				return false;
		} while (take(c, ','));
		is_whole = take(c, closing);
	}
	c->depth--;
	return is_whole;
}

static bool
scan_value(struct cursor *c)
{
	if (c->at == c->end)
		return false;
	switch (*c->at) {
	case '{':
		return scan_nested(c, '}');
	case '[':
		return scan_nested(c, ']');
	case '"':
		return scan_quoted(c);
	case 't':
		return scan_word(c, "true");
	case 'f':
		return scan_word(c, "false");
	case 'n':
		return scan_word(c, "null");
	default:
		return scan_number(c);
	}
}

bool
scan_text(const char *text, size_t bytes, struct span *s)
{
	struct cursor	c = { text, text + bytes, 0 };

	skip_space(&c);
	s->at = c.at;
	s->bytes = 0;
	if (!scan_value(&c))
		return false;
	s->bytes = (size_t)(c.at - s->at);
	skip_space(&c);
	return c.at == c.end;
}

/* ---- what is in it ---- */

bool
scan_is_object(const struct span *s)
{
	return s->bytes > 0 && s->at[0] == '{';
}

bool
scan_is_array(const struct span *s)
{
	return s->bytes > 0 && s->at[0] == '[';
}

bool
scan_is_empty(const struct span *s)
{
	struct cursor	c = { s->at + 1, s->at + s->bytes, 0 };

	skip_space(&c);
	return take(&c, '}') || take(&c, ']');
}

bool
scan_next(const struct span *of, size_t *at, struct span *name, struct span *value)
{
	struct cursor	c = { of->at + *at, of->at + of->bytes, 0 };

	*name = *value = (struct span){ NULL, 0 };
	if (!scan_is_object(of) && !scan_is_array(of))
		return false;
	c.at += *at == 0;			/* the bracket */
	skip_space(&c);
	if (*at != 0 && take(&c, ','))
		skip_space(&c);
	if (c.at == c.end || *c.at == '}' || *c.at == ']')
		return false;
	if (scan_is_object(of)) {
		name->at = c.at;
		(void)scan_quoted(&c);
		name->bytes = (size_t)(c.at - name->at);
		skip_space(&c);
		(void)take(&c, ':');
		skip_space(&c);
	}
	value->at = c.at;
	(void)scan_value(&c);
	value->bytes = (size_t)(c.at - value->at);
	*at = (size_t)(c.at - of->at);
	return true;
}

struct span
scan_member(const struct span *object, const char *name)
{
	const size_t	n = strlen(name);
	struct span	its, value, found = { NULL, 0 };
	size_t		at = 0;

	while (scan_is_object(object) && scan_next(object, &at, &its, &value)) {
		if (its.bytes != n + 2 || memcmp(its.at + 1, name, n) != 0)
			continue;
		if (found.bytes != 0)
			return (struct span){ NULL, 0 };
		found = value;
	}
	return found;
}

/* ---- values ---- */

static unsigned
four_digits(const char *s)
{
	unsigned	u = 0;

	for (int i = 0; i < 4; i++)
		u = u << 4 | (unsigned)digit16(s[i]);
	return u;
}

/* The character of \uXXXX at s, in front of `end`; *used: its bytes there. */
static unsigned
escaped_character(const char *s, const char *end, size_t *used)
{
	unsigned	u = four_digits(s + 2), low;

	*used = 6;
	if (u < 0xd800 || u > 0xdfff)
		return u != 0 ? u : '?';
	if (u > 0xdbff || end - s < 12 || s[6] != '\\' || s[7] != 'u' ||
	    (low = four_digits(s + 8)) < 0xdc00 || low > 0xdfff)
		return '?';
	*used = 12;
	return 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00);
}

static size_t
put_character(unsigned u, char out[4])
{
	if (u < 0x80) {
		out[0] = (char)u;
		return 1;
	}
	if (u < 0x800) {
		out[0] = (char)(0xc0 | u >> 6);
		out[1] = (char)(0x80 | (u & 0x3f));
		return 2;
	}
	if (u < 0x10000) {
		out[0] = (char)(0xe0 | u >> 12);
		out[1] = (char)(0x80 | (u >> 6 & 0x3f));
		out[2] = (char)(0x80 | (u & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | u >> 18);
	out[1] = (char)(0x80 | (u >> 12 & 0x3f));
	out[2] = (char)(0x80 | (u >> 6 & 0x3f));
	out[3] = (char)(0x80 | (u & 0x3f));
	return 4;
}

/* The character at s as it is meant; *used: its bytes as written. */
static size_t
meant_character(const char *s, const char *end, size_t *used, char out[4])
{
	static const char	 letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char		*letter;

	if (*s == '\\' && s[1] == 'u')
		return put_character(escaped_character(s, end, used), out);
	if (*s == '\\') {
		*used = 2;
		letter = strchr(letters, s[1]);
		out[0] = letter != NULL ? meant[letter - letters] : s[1];
		return 1;
	}
	*used = 1;
	out[0] = *s;
	while (*s & 0x80 && s + *used < end && (s[*used] & 0xc0) == 0x80 && *used < 4) {
		out[*used] = s[*used];
		++*used;
	}
	return *used;
}

void
scan_string(const struct span *s, char *buf, size_t bytes)
{
	const char	*at, *end;
	char		 one[4];
	size_t		 used, n, room = bytes - 1;

	if (s->bytes >= 2 && s->at[0] == '"') {
		end = s->at + s->bytes - 1;
		for (at = s->at + 1; at < end; at += used) {
			if ((n = meant_character(at, end, &used, one)) > room)
				break;
			memcpy(buf, one, n);
			buf += n;
			room -= n;
		}
	}
	*buf = '\0';
}

bool
scan_integer(const struct span *s, int64_t *out)
{
	char	text[32], *end;

	if (s->bytes == 0 || s->bytes >= sizeof text)
		return false;
	memcpy(text, s->at, s->bytes);
	text[s->bytes] = '\0';
	errno = 0;
	*out = strtoll(text, &end, 10);
	return *end == '\0' && errno == 0;
}

char *
scan_copy(const struct span *s)
{
	char	*copy = malloc(s->bytes + 1);

	if (copy == NULL)
		return NULL;
	memcpy(copy, s->at, s->bytes);
	copy[s->bytes] = '\0';
	return copy;
}
