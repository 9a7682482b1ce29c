/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "client/cmd/launch/survey.h"

struct cursor {
	const char	*text, *at;
};

static enum status
refuse(const struct cursor *c, struct fault *why, const char *expected)
{
	return fault_set(why, ST_BAD_REQUEST, "column %d: expected %s", (int)(c->at - c->text) + 1,
	    expected);
}

static void
skip_blanks(struct cursor *c)
{
	while (isspace((unsigned char)*c->at))
		c->at++;
}

static bool
eat(struct cursor *c, char wanted)
{
	skip_blanks(c);
	if (*c->at != wanted)
		return false;
	c->at++;
	return true;
}

static enum status
read_number(struct cursor *c, int64_t least, const char *expected, int64_t *out, struct fault *why)
{
	char		*end;
	long long	 value;

	skip_blanks(c);
	errno = 0;
	value = strtoll(c->at, &end, 10);
	if (end != c->at && (errno != 0 || value > INT32_MAX))
		return refuse(c, why, "a number of at most 2147483647");
	if (end == c->at || value < least)
		return refuse(c, why, expected);
	c->at = end;
	*out = value;
	return ST_OK;
}

/* "0,256,16)" */
static enum status
read_range(struct cursor *c, struct survey_range *r, struct fault *why)
{
	enum status	st;

	if ((st = read_number(c, 0, "the first offset, a number of bytes", &r->from, why)) != ST_OK)
		return st;
	if (!eat(c, ','))
		return refuse(c, why, "a comma and the end of the offsets");
	if ((st = read_number(c, r->from, "the end of the offsets, not below the first", &r->to,
	    why)) != ST_OK)
		return st;
	if (!eat(c, ','))
		return refuse(c, why, "a comma and the step of the offsets");
	if ((st = read_number(c, 1, "a step of at least 1", &r->step, why)) != ST_OK)
		return st;
	return eat(c, ')') ? ST_OK : refuse(c, why, "a closing parenthesis");
}

static enum status
read_end(struct cursor *c, struct fault *why)
{
	if (!eat(c, '}'))
		return refuse(c, why, "a closing brace");
	skip_blanks(c);
	return *c->at == '\0' ? ST_OK : refuse(c, why, "the end of the text");
}

enum status
survey_parse(struct survey *s, const char *text, struct fault *why)
{
	struct cursor	c = { text, text };
	enum status	st;

	s->n = 0;
	if (!eat(&c, '{'))
		return refuse(&c, why, "an opening brace, as in \"{(0,256,16);(0,256,16)}\"");
	while (eat(&c, '(')) {
		if (s->n == SURVEY_MAX_ARRAYS)
			return refuse(&c, why, "no more than 8 arrays");
		if ((st = read_range(&c, &s->of[s->n], why)) != ST_OK)
			return st;
		if (survey_values(&s->of[s->n++]) > SURVEY_MAX_VALUES)
			return refuse(&c, why, "at most 100000 offsets of one array");
		if (!eat(&c, ';'))
			break;
	}
	if (s->n == 0)
		return refuse(&c, why, "the offsets of an array, as in (0,256,16)");
	return read_end(&c, why);
}

enum status
survey_sizes_parse(struct survey_sizes *s, const char *text, struct fault *why)
{
	struct cursor	c = { text, text };
	enum status	st;

	s->n = 0;
	if (!eat(&c, '{'))
		return refuse(&c, why, "an opening brace, as in \"{100,2000,500}\"");
	do {
		if (s->n == SURVEY_MAX_ARRAYS)
			return refuse(&c, why, "no more than 8 arrays");
		if ((st = read_number(&c, 1, "a size of at least 1 element", &s->of[s->n++],
		    why)) != ST_OK)
			return st;
	} while (eat(&c, ','));
	return read_end(&c, why);
}

uint64_t
survey_values(const struct survey_range *r)
{
	return r->to <= r->from ? 1 : (uint64_t)((r->to - r->from + r->step - 1) / r->step);
}

uint64_t
survey_combinations(const struct survey *s)
{
	uint64_t	all = 1;

	for (unsigned i = 0; i < s->n; i++)
		if (__builtin_mul_overflow(all, survey_values(&s->of[i]), &all) ||
		    all > INT64_MAX)
			return 0;
	return all;
}
