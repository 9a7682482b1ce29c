/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "daemon/dispatch/station/streak.h"

#define BLANKS	" \t\n"

static bool
is_particular(const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (word[i] == '/' || (word[i] >= '0' && word[i] <= '9'))
			return true;
	return false;
}

/* The next word without a slash or a digit; *n 0: none. */
static const char *
next_word(const char *text, size_t *n)
{
	for (;;) {
		text += strspn(text, BLANKS);
		*n = strcspn(text, BLANKS);
		if (*n == 0 || !is_particular(text, *n))
			return text;
		text += *n;
	}
}

static bool
is_same(const char *a, const char *b)
{
	size_t	n, m;

	for (;;) {
		a = next_word(a, &n);
		b = next_word(b, &m);
		if (n != m || memcmp(a, b, n) != 0)
			return false;
		if (n == 0)
			return true;
		a += n;
		b += m;
	}
}

static void
note_job(struct streak *s, int64_t job)
{
	for (unsigned i = 0; i < s->njobs; i++)
		if (s->jobs[i] == job)
			return;
	if (s->njobs < STREAK_JOBS)
		s->jobs[s->njobs++] = job;
}

void
streak_later(struct streak *s, double now)
{
	s->pause_s = s->pause_s == 0 ? STREAK_FIRST_S : 2 * s->pause_s;
	if (s->pause_s > STREAK_LONGEST_S)
		s->pause_s = STREAK_LONGEST_S;
	s->try_at = now + s->pause_s;
}

bool
streak_fault(struct streak *s, int64_t job, const char *reason, bool is_proven, double now)
{
	bool	was_paused;

	if (s->reason[0] == '\0' || !is_same(s->reason, reason))
		*s = (struct streak){ .njobs = 0 };
	(void)snprintf(s->reason, sizeof s->reason, "%s", reason);
	was_paused = s->pause_s != 0;
	s->is_proven = is_proven;
	note_job(s, job);
	if (was_paused || is_proven)
		streak_later(s, now);
	else if (s->njobs == STREAK_JOBS) {
		s->pause_s = STREAK_FIRST_S;
		s->try_at = now;
	}
	return !was_paused && s->pause_s != 0;
}

bool
streak_ends(struct streak *s)
{
	const bool	was_paused = s->pause_s != 0;

	*s = (struct streak){ .njobs = 0 };
	return was_paused;
}

bool
streak_may_take(const struct streak *s, double now)
{
	return s->pause_s == 0 || s->try_at <= now;
}

double
streak_left_s(const struct streak *s, double now)
{
	return s->pause_s == 0 || s->try_at < now ? 0 : s->try_at - now;
}
