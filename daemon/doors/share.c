/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/share.h"

enum {
	MAX_DEPTH	= 8,		/* deeper parts are jansson's: each level is looked at once
					 * more */
	SPLIT_BYTES	= 128,		/* so are shorter ones */
	KNOWN		= 1024,		/* parts that may come again; a power of two */
	KNOWN_MIN_BYTES	= 4,
	KNOWN_MAX_BYTES	= 64 << 10,
};

struct part {
	uint64_t	 hash;
	const char	*text;		/* borrowed */
	size_t		 bytes;
	json_t		*value;		/* owned reference; NULL: free */
};

struct sharing {
	struct part	known[KNOWN];
};

static json_t	*share_value(struct sharing *, const char *s, const char *end, unsigned depth);

/* ---- cutting; `end` is never read ---- */

static const char *
skip_space(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
		s++;
	return s;
}

/* Behind the string that starts at s; NULL: it does not end. */
static const char *
skip_string(const char *s, const char *end)
{
	for (s++; s < end; s++) {
		if (*s == '\\')
			s++;
		else if (*s == '"')
			return s + 1;
	}
	return NULL;
}

/*
 * Behind the bracket that closes the one at s; which kind closes which is for the reader of the
 * part to see.
 */
static const char *
skip_container(const char *s, const char *end)
{
	size_t	depth = 0;

	while (s < end) {
		if (*s == '"') {
			if ((s = skip_string(s, end)) == NULL)
				return NULL;
			continue;
		}
		if (*s == '{' || *s == '[')
			depth++;
		else if ((*s == '}' || *s == ']') && --depth == 0)
			return s + 1;
		s++;
	}
	return NULL;
}

static const char *
skip_value(const char *s, const char *end)
{
	if (s < end && *s == '"')
		return skip_string(s, end);
	if (s < end && (*s == '{' || *s == '['))
		return skip_container(s, end);
	while (s < end && strchr(",:]} \t\n\r", *s) == NULL)
		s++;
	return s;
}

/* ---- reading ---- */

static json_t *
read_whole(const char *s, const char *end)
{
	return json_loadb(s, (size_t)(end - s), JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
}

/* What follows an element: *s moves to the next one, or to the end.  false: neither is there. */
static bool
next_element(const char **s, const char *end)
{
	*s = skip_space(*s, end);
	if (*s == end)
		return true;
	if (**s != ',')
		return false;
	*s = skip_space(*s + 1, end);
	return *s < end;
}

static bool
split_array(struct sharing *sh, const char *s, const char *end, unsigned depth, json_t *array)
{
	while (s < end) {
		const char	*behind = skip_value(s, end);
		json_t		*v = behind != NULL ? share_value(sh, s, behind, depth) : NULL;

		if (v == NULL || json_array_append_new(array, v) != 0)
			return false;
		s = behind;
		if (!next_element(&s, end))
			return false;
	}
	return true;
}

/* One member, from its name to its value; NULL: there is none. */
static const char *
split_member(struct sharing *sh, const char *s, const char *end, unsigned depth, json_t *object)
{
	const char	*behind = *s == '"' ? skip_string(s, end) : NULL;
	json_t		*name = behind != NULL ? read_whole(s, behind) : NULL, *v = NULL;
	bool		 ok = false;

	if (name != NULL && json_object_get(object, json_string_value(name)) == NULL) {
		s = skip_space(behind, end);
		if (s < end && *s == ':') {
			s = skip_space(s + 1, end);
			behind = skip_value(s, end);
			v = behind != NULL ? share_value(sh, s, behind, depth) : NULL;
		}
	}
	ok = v != NULL && json_object_set_new(object, json_string_value(name), v) == 0;
	json_decref(name);
	return ok ? behind : NULL;
}

static bool
split_object(struct sharing *sh, const char *s, const char *end, unsigned depth, json_t *object)
{
	while (s < end)
		if ((s = split_member(sh, s, end, depth, object)) == NULL || !next_element(&s, end))
			return false;
	return true;
}

/* A container of single values is read as it is: there is nothing in it to share. */
static bool
worth_splitting(const char *s, const char *end, unsigned depth)
{
	const char	*first = skip_space(s + 1, end);

	if (depth >= MAX_DEPTH || end - s < SPLIT_BYTES)
		return false;
	return *s == '{' || (*s == '[' && first < end && (*first == '{' || *first == '['));
}

static json_t *
read_parts(struct sharing *sh, const char *s, const char *end, unsigned depth)
{
	bool		 is_object = *s == '{';
	json_t		*v = is_object ? json_object() : json_array();
	const char	*first = skip_space(s + 1, end - 1);
	bool		 ok = v != NULL && end[-1] == (is_object ? '}' : ']');

	if (ok && is_object)
		ok = split_object(sh, first, end - 1, depth + 1, v);
	else if (ok)
		ok = split_array(sh, first, end - 1, depth + 1, v);
	if (ok)
		return v;
	json_decref(v);
	return NULL;
}

static struct part *
find_part(struct sharing *sh, const char *s, size_t bytes, uint64_t *hash)
{
	uint64_t	h = UINT64_C(0xcbf29ce484222325);		/* FNV-1a */

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	*hash = h;
	return &sh->known[(h ^ h >> 32) % KNOWN];
}

static json_t *
share_value(struct sharing *sh, const char *s, const char *end, unsigned depth)
{
	size_t		 bytes = (size_t)(end - s);
	bool		 may_come_again = bytes >= KNOWN_MIN_BYTES && bytes <= KNOWN_MAX_BYTES &&
			    (*s == '{' || *s == '[' || *s == '"');
	struct part	*p = NULL;
	uint64_t	 hash = 0;
	json_t		*v;

	if (may_come_again) {
		p = find_part(sh, s, bytes, &hash);
		if (p->value != NULL && p->hash == hash && p->bytes == bytes &&
		    memcmp(p->text, s, bytes) == 0)
			return json_incref(p->value);
	}
	v = bytes != 0 && worth_splitting(s, end, depth) ? read_parts(sh, s, end, depth) :
	    read_whole(s, end);
	if (p != NULL && v != NULL) {
		json_decref(p->value);
		*p = (struct part){ hash, s, bytes, json_incref(v) };
	}
	return v;
}

json_t *
share_parse(const char *text, size_t bytes)
{
	struct sharing	*sh = calloc(1, sizeof *sh);
	const char	*end = text + bytes, *s = skip_space(text, end), *behind;
	json_t		*v = NULL;

	if (sh == NULL)
		return NULL;
	behind = skip_value(s, end);
	if (behind != NULL && skip_space(behind, end) == end)
		v = share_value(sh, s, behind, 0);
	for (unsigned i = 0; i < KNOWN; i++)
		json_decref(sh->known[i].value);
	free(sh);
	return v;
}
