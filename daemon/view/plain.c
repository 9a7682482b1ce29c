/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "daemon/view/plain.h"

static bool
copy(char *to, size_t room, const char *from, size_t n)
{
	if (n >= room)
		return false;
	memcpy(to, from, n);
	to[n] = '\0';
	return true;
}

/* The bytes of a string with its quotes; 0: it is none, or has an escape. */
static size_t
string_bytes(const char *s)
{
	size_t	n = 1;

	if (s[0] != '"')
		return 0;
	while ((unsigned char)s[n] >= ' ' && s[n] != '"' && s[n] != '\\')
		n++;
	return s[n] == '"' ? n + 1 : 0;
}

enum { MOST_DIGITS = 18 };	/* of a whole number, which 64 bits hold */

/* Zeros in front and whatever else a number may not have are left to the full reader. */
static size_t
number_bytes(const char *s)
{
	static const char	digits[] = "0123456789";
	size_t			n = s[0] == '-', whole = strspn(s + n, digits), part;

	if (whole == 0 || whole > MOST_DIGITS || (whole > 1 && s[n] == '0'))
		return 0;
	n += whole;
	if (s[n] != '.')
		return n;
	part = strspn(s + n + 1, digits);
	return part != 0 ? n + 1 + part : 0;
}

static size_t
word_bytes(const char *s)
{
	static const char *const	words[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			return strlen(words[i]);
	return 0;
}

static size_t
value_bytes(const char *s)
{
	size_t	n;

	if ((n = string_bytes(s)) != 0 || (n = number_bytes(s)) != 0)
		return n;
	return word_bytes(s);
}

/* A name that was there before hides the first: the full reader knows which one counts. */
static bool
is_new(const struct plain *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->member[i].name, p->member[p->n].name) == 0)
			return false;
	return true;
}

/* As they were in the last text, where names were new, too: of that there were `had`. */
static bool
is_same(const struct plain *p, size_t had, const char *s, size_t n)
{
	const char	*name = p->member[p->n].name;

	return p->same == p->n && p->n < had && strncmp(name, s, n) == 0 && name[n] == '\0';
}

static bool
read_name(struct plain *p, size_t had, const char *s, size_t n)
{
	if (!is_same(p, had, s, n))
		return copy(p->member[p->n].name, PLAIN_NAME, s, n) && is_new(p);
	p->same++;
	return true;
}

/* The bytes of a member; 0: it is not plain. */
static size_t
read_member(struct plain *p, size_t had, const char *s)
{
	const size_t	name = string_bytes(s);
	size_t		value;

	if (p->n == PLAIN_MAX || name == 0 || s[name] != ':' ||
	    (value = value_bytes(s + name + 1)) == 0 ||
	    !read_name(p, had, s + 1, name - 2) ||
	    !copy(p->member[p->n].value, PLAIN_VALUE, s + name + 1, value))
		return 0;
	p->n++;
	return name + 1 + value;
}

static bool
read_all(struct plain *p, const char *text)
{
	const size_t	had = p->n;
	size_t		n;

	p->n = p->same = 0;
	p->has_same_names = false;
	if (strcmp(text, "{}") == 0)
		return true;
	if (*text != '{')
		return false;
	do {
		if ((n = read_member(p, had, text + 1)) == 0)
			return false;
		text += 1 + n;
	} while (*text == ',');
	p->has_same_names = p->same == p->n && p->n == had;
	return strcmp(text, "}") == 0;
}

bool
plain_read(struct plain *p, const char *text)
{
	const bool	is_plain = read_all(p, text);

	if (!is_plain)
		p->n = 0;		/* the next text is like none before it */
	return is_plain;
}
