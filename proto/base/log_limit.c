/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/log_limit.h"

/*
 * In any second, a bucket gives its size and what flows in: 4000 + 4000 of all, and 1000 + 800 of
 * the spare one, are less than LOG_LIMIT_BYTES.
 */
#define ALL_BYTES	4000
#define ALL_PER_S	4000
#define SPARE_BYTES	1000
#define SPARE_PER_S	800
#define SITE_BYTES	3000.0
#define SITE_PER_S	3000.0
#define FOR_FAULTS	1000.0		/* of all: not for info */
#define CALM_S		1.0		/* without a line left out: the storm is over */

_Static_assert(ALL_BYTES + ALL_PER_S + SPARE_BYTES + SPARE_PER_S <= LOG_LIMIT_BYTES, "limit");

static void
fill(struct log_bucket *b, double size, double per_s, double now_s)
{
	const double	passed_s = now_s - b->at_s;

	if (passed_s > 0)
		b->bytes += passed_s * per_s;
	if (b->bytes > size)
		b->bytes = size;
	b->at_s = now_s;
}

void
log_limit_init(struct log_limit *l, double now_s)
{
	memset(l, 0, sizeof *l);
	l->all = (struct log_bucket){ ALL_BYTES, now_s };
	l->spare = (struct log_bucket){ SPARE_BYTES, now_s };
}

/* The site, or the one that was silent for the longest: its count is lost only beyond 64 storms. */
static struct log_site *
site_of(struct log_limit *l, const char *format, double now_s)
{
	struct log_site	*oldest = &l->sites[0];

	for (unsigned i = 0; i < LOG_LIMIT_SITES; i++) {
		struct log_site	*s = &l->sites[i];

		if (s->format == format)
			return s;
		if (s->format == NULL || (oldest->format != NULL && s->seen_s < oldest->seen_s))
			oldest = oldest->format == NULL ? oldest : s;
	}
	*oldest = (struct log_site){ .format = format, .own = { SITE_BYTES, now_s },
		.wrote_s = now_s - LOG_LIMIT_SILENT_S, .said_s = now_s };
	return oldest;
}

static void
leave_out(struct log_limit *l, struct log_site *s, enum log_level level, const char *text)
{
	s->left_out++;
	s->level = level;
	(void)snprintf(s->last, sizeof s->last, "%s", text);
	l->has_left_out = true;
}

/* Of both allowances, or of none. */
static bool
take_own(struct log_limit *l, struct log_site *s, enum log_level level, double bytes)
{
	const double	kept = level <= LOG_LEVEL_WARN ? 0 : FOR_FAULTS;

	if (s->own.bytes < bytes || l->all.bytes - kept < bytes)
		return false;
	s->own.bytes -= bytes;
	l->all.bytes -= bytes;
	return true;
}

static bool
take(struct log_bucket *b, double bytes)
{
	if (b->bytes < bytes)
		return false;
	b->bytes -= bytes;
	return true;
}

size_t
log_limit_take(struct log_limit *l, const char *format, enum log_level level, const char *text,
    size_t bytes, double now_s)
{
	struct log_site	*s = site_of(l, format, now_s);
	const bool	 was_silent = now_s - s->wrote_s >= LOG_LIMIT_SILENT_S;
	const size_t	 cut = bytes < LOG_LIMIT_SHORT ? bytes : LOG_LIMIT_SHORT;

	fill(&l->all, ALL_BYTES, ALL_PER_S, now_s);
	fill(&l->spare, SPARE_BYTES, SPARE_PER_S, now_s);
	fill(&s->own, SITE_BYTES, SITE_PER_S, now_s);
	s->seen_s = now_s;
	if (take_own(l, s, level, (double)bytes)) {
		s->wrote_s = now_s;
		return bytes;
	}
	if (was_silent && take(&l->spare, (double)cut)) {
		s->wrote_s = now_s;
		return cut;
	}
	leave_out(l, s, level, text);
	return 0;
}

static bool
is_due(const struct log_site *s, double now_s)
{
	return now_s - s->seen_s >= CALM_S || now_s - s->said_s >= LOG_LIMIT_SILENT_S;
}

static size_t
report(struct log_limit *l, struct log_site *s, char *buf, size_t bytes, double now_s)
{
	static const char *const	words[] = { "error", "warn", "info", "debug" };
	const int			n = snprintf(buf, bytes,
	    "%s %" PRIu64 " lines like this were left out: %s", words[s->level], s->left_out,
	    s->last);
	size_t				whole = n < 0 ? 0 : (size_t)n;

	if (whole >= bytes)
		whole = bytes - 1;
	fill(&l->all, ALL_BYTES, ALL_PER_S, now_s);
	fill(&l->spare, SPARE_BYTES, SPARE_PER_S, now_s);
	if (!take(&l->spare, (double)whole + 1) && !take(&l->all, (double)whole + 1))
		return 0;			/* later */
	s->left_out = 0;
	s->said_s = now_s;
	return whole;
}

size_t
log_limit_report(struct log_limit *l, char *buf, size_t bytes, double now_s, bool all)
{
	bool	more = false;

	if (!l->has_left_out)
		return 0;
	for (unsigned i = 0; i < LOG_LIMIT_SITES; i++) {
		struct log_site	*s = &l->sites[i];

		if (s->left_out == 0)
			continue;
		if (all || is_due(s, now_s))
			return report(l, s, buf, bytes, now_s);
		more = true;
	}
	l->has_left_out = more;
	return 0;
}
