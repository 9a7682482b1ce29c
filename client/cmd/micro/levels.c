/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/micro/levels.h"
#include "client/print/member.h"

enum { CACHES = 3 };
#define MIB		(INT64_C(1) << 20)
#define MEMORY_MOST	(128 * MIB)	/* a job of this size takes some ten seconds */

/* Calls on the first level alone are so short that what each of them costs once is seen. */
static const struct {
	const char	*name, *base;
	unsigned	 halvings;
} levels[LEVELS] = {
	{ "L1", "L1 base", 2 }, { "L2", NULL, 0 }, { "L3", NULL, 0 }, { "memory", NULL, 0 },
};

/*
 * Twice the caches before a level, which are not in it; half of the first.  Without a third cache,
 * memory begins behind the second.
 */
static int64_t
bytes_of(unsigned level, const int64_t cache[CACHES])
{
	if (level == 0)
		return cache[0] / 2;
	while (level > 1 && cache[level - 1] == 0)
		level--;
	return 2 * cache[level - 1];
}

/*
 * What a virtual machine reports as its last cache is often that of the whole host, of which a core
 * fills a small part.  A calibration shows that part: behind `area` bytes all is flushed.
 */
static void
set_bytes(struct levels *l, unsigned level, const int64_t cache[CACHES])
{
	int64_t	bytes = bytes_of(level, cache);

	if (level == 2 && l->area > 0 && bytes > l->area)
		bytes = l->area;
	if (level == CACHES && l->area > 0 && bytes > 2 * l->area)
		bytes = 2 * l->area;
	if (level == CACHES && bytes > MEMORY_MOST) {
		bytes = MEMORY_MOST;
		l->doubted = l->area > 0 && l->area < bytes_of(CACHES, cache) / 2 ? l->area :
		    bytes_of(CACHES, cache) / 2;
	}
	l->bytes[l->n] = bytes;
}

static bool
has_level(unsigned level, const int64_t cache[CACHES])
{
	return level < CACHES ? cache[level] > 0 : cache[0] > 0;
}

static enum status
add(struct levels *l, unsigned level, const int64_t cache[CACHES], struct fault *why)
{
	if (!has_level(level, cache))
		return fault_at(why, ST_BAD_REQUEST, "--levels", "the host has no %s, as far as it "
		    "is known", levels[level].name);
	for (unsigned i = 0; i < l->n; i++)
		if (l->name[i] == levels[level].name) {
			(void)fault_at(why, ST_BAD_REQUEST, "--levels", "%s is given twice",
			    levels[level].name);
			fault_hint(why, "give each level once");
			return ST_BAD_REQUEST;
		}
	set_bytes(l, level, cache);
	l->base_name[l->n] = levels[level].base;
	l->halvings[l->n] = levels[level].halvings;
	l->name[l->n++] = levels[level].name;
	return ST_OK;
}

static enum status
add_word(struct levels *l, const char *word, size_t n, const int64_t cache[CACHES],
    struct fault *why)
{
	for (unsigned level = 0; level < LEVELS; level++)
		if (strlen(levels[level].name) == n && strncmp(levels[level].name, word, n) == 0)
			return add(l, level, cache, why);
	(void)fault_at(why, ST_BAD_REQUEST, "--levels", "\"%.*s\" is no level", (int)n, word);
	fault_hint(why, "give some of L1,L2,L3,memory");
	return ST_BAD_REQUEST;
}

static enum status
add_words(struct levels *l, const char *text, const int64_t cache[CACHES], struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t n; st == ST_OK; text += n + 1) {
		n = strcspn(text, ",");
		st = add_word(l, text, n, cache, why);
		if (text[n] == '\0')
			break;
	}
	return st;
}

static enum status
add_all(struct levels *l, const int64_t cache[CACHES], struct fault *why)
{
	enum status	st = ST_OK;

	for (unsigned level = 0; level < LEVELS && st == ST_OK; level++)
		if (has_level(level, cache))
			st = add(l, level, cache, why);
	if (st != ST_OK || l->n > 0)
		return st;
	(void)fault_at(why, ST_BAD_REQUEST, "--levels", "the host's caches are not known");
	fault_hint(why, "give sizes: --startvector ELEMENTS");
	return ST_BAD_REQUEST;
}

/* 0: there was no calibration, or none that found the area. */
static int64_t
area_of(const json_t *calibration)
{
	const json_t	*last = json_object_get(calibration, "last");
	double		 bytes = member_number(last, "knee_bytes");

	if (!(bytes > 0) && strcmp(member_text(last, "outcome"), "flat") == 0)
		bytes = member_number(json_array_get(json_object_get(last, "points"), 0), "bytes");
	if (!(bytes > 0))
		bytes = member_number(calibration, "flush_bytes");
	return bytes > 0 && bytes < 1e12 ? (int64_t)bytes : 0;
}

enum status
levels_of(struct levels *l, const char *text, const json_t *host, struct fault *why)
{
	static const char *const	members[CACHES] = { "l1_bytes", "l2_bytes", "l3_bytes" };
	int64_t				cache[CACHES] = { 0 };

	*l = (struct levels){ .area = area_of(json_object_get(host, "calibration")) };
	for (unsigned i = 0; i < CACHES; i++) {
		const double	bytes = member_number(json_object_get(host, "caches"), members[i]);

		cache[i] = bytes > 0 && bytes < 1e12 ? (int64_t)bytes : 0;
	}
	return text != NULL ? add_words(l, text, cache, why) : add_all(l, cache, why);
}

enum status
levels_check(const char *text, struct fault *why)
{
	static const int64_t	any[CACHES] = { 1, 1, 1 };
	struct levels		l = { .n = 0 };

	return text != NULL ? add_words(&l, text, any, why) : ST_OK;
}
