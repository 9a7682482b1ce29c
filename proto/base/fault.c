/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/fault.h"
#include "proto/base/utf8.h"

enum { NEAREST_MAX = 63 };	/* longer words are no typing slips */

/*
 * Words quote what came from outside and are cut to fit: keep them printable, and valid UTF-8 for
 * the wire.
 */
static void
scrub(char *text)
{
	for (char *s = text; *s != '\0';) {
		size_t	n = utf8_bytes(s, UTF8_MOST);	/* the NUL at the end is none */

		if (n == 0 || ((unsigned char)*s < 0x20 && *s != '\n' && *s != '\t') ||
		    *s == 0x7f) {
			*s = '?';
			n = 1;
		}
		s += n;
	}
}

enum status
fault_set(struct fault *why, enum status st, const char *fmt, ...)
{
	va_list	ap;

	if (why == NULL)
		return st;
	why->status = st;
	why->of_user = false;
	why->member[0] = why->hint[0] = '\0';
	va_start(ap, fmt);
	(void)vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	scrub(why->text);
	return st;
}

static enum status __attribute__((format(printf, 4, 0)))
put_at(struct fault *why, enum status st, const char *member, const char *fmt, va_list ap)
{
	if (why == NULL)
		return st;
	why->status = st;
	why->of_user = false;
	why->hint[0] = '\0';
	(void)snprintf(why->member, sizeof why->member, "%s", member);
	(void)vsnprintf(why->text, sizeof why->text, fmt, ap);
	scrub(why->member);
	scrub(why->text);
	return st;
}

enum status
fault_at(struct fault *why, enum status st, const char *member, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	st = put_at(why, st, member, fmt, ap);
	va_end(ap);
	return st;
}

enum status
fault_in_file(struct fault *why, const char *path, unsigned line, unsigned column,
    const char *fmt, va_list ap)
{
	char	place[sizeof why->member];

	(void)snprintf(place, sizeof place, "%.150s:%u:%u", path, line, column);
	return put_at(why, ST_BAD_SPEC, place, fmt, ap);
}

void
fault_hint(struct fault *why, const char *fmt, ...)
{
	va_list	ap;

	if (why == NULL)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(why->hint, sizeof why->hint, fmt, ap);
	va_end(ap);
	scrub(why->hint);
}

void
fault_of_user(struct fault *why)
{
	if (why != NULL)
		why->of_user = true;
}

enum status
fault_within(struct fault *why, const char *prefix)
{
	char	old[sizeof why->member];

	if (why == NULL)
		return ST_INTERNAL;
	memcpy(old, why->member, sizeof old);
	(void)snprintf(why->member, sizeof why->member, "%s%s%.150s", prefix,
	    old[0] == '\0' || old[0] == '[' ? "" : ".", old);
	scrub(why->member);
	return why->status;
}

bool
fault_rename(struct fault *why, const char *prefix, const char *instead)
{
	char	rest[sizeof why->member];
	size_t	n = strlen(prefix);

	if (why == NULL || strncmp(why->member, prefix, n) != 0 ||
	    strchr(".[", why->member[n]) == NULL)
		return false;
	(void)snprintf(rest, sizeof rest, "%s", why->member + n);
	(void)snprintf(why->member, sizeof why->member, "%s%.100s", instead, rest);
	return true;
}

char *
fault_line(const struct fault *why, char *buf, unsigned long bytes)
{
	const bool	has_member = why->member[0] != '\0', has_hint = why->hint[0] != '\0';

	(void)snprintf(buf, bytes, "%s%s%s%s%s%s", why->member, has_member ? ": " : "", why->text,
	    has_hint ? " (" : "", why->hint, has_hint ? ")" : "");
	if (bytes > 0)
		scrub(buf);
	return buf;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Insertions, deletions, substitutions and swaps of neighbours; both words at most NEAREST_MAX
 * long.
 */
static unsigned
edit_distance(const char *a, const char *b)
{
	unsigned	 rows[3][NEAREST_MAX + 1];
	unsigned	*before = rows[0], *last = rows[1], *row = rows[2], *spare;
	size_t		 nb = strlen(b);

	for (size_t j = 0; j <= nb; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; a[i - 1] != '\0'; i++) {
		spare = before;
		before = last;
		last = row;
		row = spare;
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]),
			    least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return row[nb];
}

const char *
nearest_name(const char *word, const char *const *names)
{
	const char	*best = NULL;
	unsigned	 best_distance = strlen(word) < 5 ? 2 : 3;	/* more: another word */

	if (strlen(word) > NEAREST_MAX)
		return NULL;
	for (; *names != NULL; names++) {
		unsigned	d;

		if (strlen(*names) > NEAREST_MAX)
			continue;
		d = edit_distance(word, *names);
		if (d < best_distance && d < strlen(*names)) {
			best = *names;
			best_distance = d;
		}
	}
	return best;
}
