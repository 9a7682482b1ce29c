/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/micro/levels.h"
#include "client/print/member.h"

enum { CACHES = 3 };
static const char *const	names[LEVELS] = { "L1", "L2", "L3", "memory" };

/* Twice the caches before a level, which are not in it; half of the first. */
static int64_t
bytes_of(unsigned level, const int64_t cache[CACHES])
{
	if (level == 0)
		return cache[0] / 2;
	while (level > 1 && cache[level - 1] == 0)
		level--;	/* without a third cache, memory begins behind the second */
	return 2 * cache[level - 1];
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
		    "is known", names[level]);
	if (l->n == LEVELS)
		return fault_at(why, ST_BAD_REQUEST, "--levels", "a level is given twice");
	l->name[l->n] = names[level];
	l->bytes[l->n++] = bytes_of(level, cache);
	return ST_OK;
}

static enum status
add_word(struct levels *l, const char *word, size_t n, const int64_t cache[CACHES],
    struct fault *why)
{
	for (unsigned level = 0; level < LEVELS; level++)
		if (strlen(names[level]) == n && strncmp(names[level], word, n) == 0)
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

enum status
levels_of(struct levels *l, const char *text, const json_t *caches, struct fault *why)
{
	static const char *const	members[CACHES] = { "l1_bytes", "l2_bytes", "l3_bytes" };
	int64_t				cache[CACHES] = { 0 };

	*l = (struct levels){ .n = 0 };
	for (unsigned i = 0; i < CACHES; i++) {
		const double	bytes = member_number(caches, members[i]);

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
