/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "worker/evidence/range.h"

/* Some operand, or the result, and where its numbers are counted. */
struct place {
	const char	*name;
	enum ctype	 type;
	enum access_kind access;
	size_t		 at;
};

void
range_see_check(struct range *r, const struct bench_reply *a)
{
	memcpy(r->checked, a->census, sizeof r->checked);
	r->has_checked = true;
}

/* Each sample begins with what a check begins with, so one call leaves the same. */
static bool
is_fresh(const struct plan *p)
{
	if (p->guard == GUARD_ALTERNATE || p->guard == GUARD_PAIR)
		return false;
	return !p->has_inout || p->run.restore == RUNNER_RESTORE;
}

enum status
range_see_timed(struct range *r, const struct plan *p, const struct link *to, struct bench_reply *a)
{
	struct runner_run	order = p->run;
	enum status		st;

	if (p->run.calls == 1 && r->has_checked && is_fresh(p)) {
		memcpy(r->timed, r->checked, sizeof r->timed);
		r->has_timed = true;
		return ST_OK;
	}
	order.kind = RUNNER_CENSUS;
	order.samples = 1;
	order.warm_calls = 0;
	if ((st = link_run(to, &order, a)) != ST_OK)
		return st;
	memcpy(r->timed, a->census, sizeof r->timed);
	r->has_timed = true;
	return ST_OK;
}

/* The places of floating numbers, arguments first; how many there are. */
static size_t
places(const struct spec *s, struct place out[RUNNER_OPERANDS + 1])
{
	size_t	n = 0, k = 0;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (s->args[i].is_operand && ctype_is_floating(o->type))
			out[n++] = (struct place){ s->routine.params[i].name, o->type,
			    o->access, k };
		k += s->args[i].is_operand;
	}
	if (ctype_is_floating(s->routine.result))
		out[n++] = (struct place){ "return", s->routine.result, ACCESS_OUT,
		    RUNNER_OPERANDS };
	return n;
}

bool
range_report(const struct range *r, const struct spec *s, char words[RANGE_WORDS],
    struct range_report *out, bool *is_known)
{
	struct place		 place[RUNNER_OPERANDS + 1];
	size_t			 n = places(s, place);
	struct census_report	*each;

	*is_known = n != 0 && r->has_timed;
	if (!*is_known)
		return true;
	if (!shape_list_make(&out->numbers, n, sizeof *each))
		return false;
	each = out->numbers.at;
	for (size_t i = 0; i < n; i++) {
		const struct runner_census	*c = &r->timed[place[i].at];

		each[i] = (struct census_report){ place[i].name, c->finite, c->inf, c->nan,
		    c->denormal, c->zero };
	}
	out->warning = range_words(r, s, words)[0] != '\0' ? words : NULL;
	return true;
}

static uint64_t
odd(const struct runner_census *c)
{
	return c->inf + c->nan + c->denormal;
}

static int
put_counts(char *buf, size_t bytes, const char *name, const struct runner_census *c)
{
	return snprintf(buf, bytes,
	    "%s has %" PRIu64 " infinite, %" PRIu64 " NaN and %" PRIu64 " denormal of %" PRIu64 " "
	    "numbers", name, c->inf, c->nan, c->denormal, c->finite + odd(c));
}

/*
 * Repeated calls made 0 of most numbers that one call leaves: they faded through all sizes, and the
 * time is of zeros.
 */
static bool
has_faded(const struct range *r, const struct place *p)
{
	const struct runner_census	*once = &r->checked[p->at], *now = &r->timed[p->at];
	const uint64_t			 numbers = once->finite + odd(once) - once->zero;

	return r->has_checked && p->access != ACCESS_IN && now->zero > once->zero &&
	    2 * (now->zero - once->zero) > numbers;
}

static void
put_faded(char *buf, const struct range *r, const struct place *p)
{
	const struct runner_census	*now = &r->timed[p->at];

	(void)snprintf(buf, RANGE_WORDS,
	    "%s has %" PRIu64 " zeros of %" PRIu64 " numbers after repeated calls, %" PRIu64
	    " after one: they faded away, and most calls were timed on zeros; see "
	    "timing.range_guard", p->name, now->zero, now->finite + odd(now),
	    r->checked[p->at].zero);
}

/*
 * The first of the places with counts that are worse than all is well; places that repeated calls
 * spoilt come before others.
 */
const char *
range_words(const struct range *r, const struct spec *s, char buf[RANGE_WORDS])
{
	struct place	 place[RUNNER_OPERANDS + 1];
	size_t		 n = places(s, place);

	buf[0] = '\0';
	for (size_t i = 0; i < n && r->has_timed; i++) {
		const struct runner_census	*c = &r->timed[place[i].at];
		bool				 wandered = r->has_checked &&
						    odd(&r->checked[place[i].at]) == 0;
		int				 used;

		if (has_faded(r, &place[i])) {
			put_faded(buf, r, &place[i]);
			break;
		}
		if (odd(c) == 0 || (buf[0] != '\0' && !wandered))
			continue;
		used = put_counts(buf, RANGE_WORDS, place[i].name, c);
		(void)snprintf(buf + used, RANGE_WORDS - (size_t)used, "%s",
		    !wandered || place[i].access == ACCESS_IN ?
		    ": arithmetic on them may be slow, and so may the time" :
		    " after repeated calls, none after one: that is abnormal arithmetic; see "
		    "timing.range_guard");
		if (wandered && place[i].access != ACCESS_IN)
			break;
	}
	return buf;
}

static const char *
when(const struct plan *p)
{
	bool	walks = p->run.walk != RUNNER_STAY;

	switch (p->guard) {
	case GUARD_RESTORE:
		return walks || p->run.calls == 1 ? "every call" : "every sample";
	case GUARD_SEPARATE:
		return "every call";
	default:
		return walks ? "every traversal" : "every call";
	}
}

void
range_guard_report(const struct plan *p, const struct spec *s, struct guard_report *out)
{
	const size_t	arg = s->timing.guard_arg;
	const bool	named = p->guard == GUARD_ALTERNATE || p->guard == GUARD_PAIR;

	*out = (struct guard_report){ .form = range_guard_name(p->guard) };
	if (p->guard != GUARD_NONE)
		out->at = when(p);
	if (named)
		out->of = arg == SPEC_RETURN ? "return" : s->routine.params[arg].name;
}
