/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/results/results.h"
#include "client/report/part.h"

#define BIAS_WORTH_A_WORD	0.01
#define SLOW_CLOCK		1.02
#define WIDE_SPREAD		0.05

/*
 * Each doubt adds what it found and what to do about it, or nothing.  The order is the order of
 * weight: those first that make a time useless.
 */
typedef void doubt_fn(struct entry *, const struct result *);

/* ---- the routine and the clock ---- */

static void
too_short(struct entry *e, const struct result *r)
{
	if (r->found.technique.sample.within_noise)
		entry_append(e, "The routine is too short for the clock: this time is lost in the "
		    "cost of measuring. Give a sample more calls with --calls, "
		    "or the operands more elements.");
}

static void
biased(struct entry *e, const struct result *r)
{
	char	a[FORMAT_BYTES];

	if (r->found.technique.sample.bias_bound >= BIAS_WORTH_A_WORD)
		entry_append(e, "Up to %s of a sample may be due to its beginning and end. "
		    "Give a sample more calls with --calls, or use --difference.",
		    format_percent(r->found.technique.sample.bias_bound, a));
}

static void
odd_numbers(struct entry *e, const struct result *r)
{
	const struct range_report	*range = &r->found.evidence.range;

	if (r->found.evidence.has_range && range->warning != NULL)
		entry_append(e, "Numbers: %s.", range->warning);
}

/* Of the first operand that has them. */
static void
conflicting(struct entry *e, const struct result *r)
{
	const struct conflict_report	*c = r->found.evidence.conflicts.at;

	if (r->found.evidence.conflicts.n == 0 || !part_has_size(c->lines))
		return;
	entry_append(e, "Conflict misses: %" PRIu64 " lines of %s are %" PRIu64 " bytes apart and "
	    "share %" PRIu64 " of %" PRIu64 " sets of L1, with %" PRIu64 " places each. "
	    "Where they are used in turn, they displace each other. "
	    "Compare with a leading dimension or stride that is a line longer.", c->lines, c->name,
	    c->stride_bytes, c->sets, c->of_sets, c->ways);
}

static void
learned(struct entry *e, const struct result *r)
{
	const struct sample_evidence	*s = &r->found.evidence.sample;
	char				 a[FORMAT_BYTES];

	if (!part_was_learnt(r))
		return;
	entry_append(e, "learned: %.2gx. The core knows this input by heart: on inputs never "
	    "met a call takes %.2g times as long", s->learned, s->learned);
	if (!isnan(r->time.raw.median_ns))
		entry_append(e, ", about %s",
		    format_duration_ns(r->time.raw.median_ns * s->learned, a));
	entry_append(e, ". Use data { \"rotate\": n } in the spec.");
}

/* ---- the host ---- */

static void
frequency_moved(struct entry *e, const struct result *r)
{
	const struct sample_evidence	*s = &r->found.evidence.sample;

	if (!s->has_frequency_moved || !s->frequency_moved)
		return;
	entry_append(e, "The CPU changed its frequency while samples were taken");
	if (s->has_frequency)
		entry_append(e, ", from %.0f to %.0f MHz", s->frequency_mhz[0],
		    s->frequency_mhz[1]);
	entry_append(e, ": such times cannot be compared. "
	    "assay host shows how to fix the frequency.");
}

static void
withheld(struct entry *e, const struct result *r)
{
	const double	steal_ms = r->found.evidence.sample.steal_ms;
	char		a[FORMAT_BYTES];

	if (steal_ms > 0)
		entry_append(e, "This is a virtual machine, and its host gave %s of the CPU's "
		    "time to others while samples were taken. "
		    "Time again when it is quieter, or on a machine of your own.",
		    format_duration_ns(steal_ms * 1e6, a));
}

static void
slow_before(struct entry *e, const struct result *r)
{
	const double	rest = r->found.evidence.sample.clock.at_rest;

	if (r->found.evidence.sample.has_clock && rest > SLOW_CLOCK)
		entry_append(e, "The CPU ran at %.0f %% of its best speed before the routine ran: "
		    "it was hot, or a neighbour was active. Time again later.", 100 / rest);
}

static void
slow_by_itself(struct entry *e, const struct result *r)
{
	const struct clock_evidence	*c = &r->found.evidence.sample.clock;

	if (r->found.evidence.sample.has_clock && c->sampling > SLOW_CLOCK &&
	    !(c->at_rest > SLOW_CLOCK))
		entry_append(e, "The CPU ran at %.0f %% of its best speed during the samples. "
		    "The routine's wide vectors may cause that: then the time is right.",
		    100 / c->sampling);
}

static void
memory_busy(struct entry *e, const struct result *r)
{
	const struct sample_evidence	*s = &r->found.evidence.sample;
	char				 a[FORMAT_BYTES];

	if (s->has_memory && s->memory.longer > 0)
		entry_append(e, "Other programs used the memory during the samples: by that the "
		    "time is about %s too long. Time again when they are at rest, or insist "
		    "on quiet: timing.gate.", format_percent(s->memory.longer, a));
}

static void
not_calibrated(struct entry *e, const struct result *r)
{
	if (r->found.evidence.uncalibrated != NULL &&
	    part_is(r->found.technique.flush_size, "default"))
		entry_append(e, "The caches were flushed by a size that is not this host's own: "
		    "%s. Run assay host calibrate when the host is quiet.",
		    r->found.evidence.uncalibrated);
}

/* ---- the samples ---- */

static void
spread_wide(struct entry *e, const struct result *r)
{
	const struct result_time	*t = &r->time;
	const double			 cv = part_is(t->estimator, "normalised") &&
					     t->has_normalised ? t->normalised.cv : t->raw.cv;
	char				 a[FORMAT_BYTES];

	if (cv > WIDE_SPREAD)
		entry_append(e, "The samples differ much, by %s. Time again when other programs "
		    "are at rest, or take more with --samples.", format_percent(cv, a));
}

static void
kept_unfit(struct entry *e, const struct result *r)
{
	const uint64_t	n = r->found.evidence.sample.kept_unfit;

	if (part_has_size(n) && n > 0)
		entry_append(e, "%" PRIu64 " of the samples were disturbed, and count for lack of "
		    "better ones. Time again when other programs are at rest.", n);
}

static void
not_watched(struct entry *e, const struct result *r)
{
	const char	*off = part_off_reason(r->found.technique.sample.canary);

	if (off != NULL && strcmp(off, "not asked for") != 0)
		entry_append(e, "Other programs on this core may have slowed the samples; that was "
		    "not seen, since %s. Compare several runs.", off);
}

static void
not_cold(struct entry *e, const struct result *r)
{
	const struct sentinel_report	*s = &r->found.evidence.sample.sentinel;

	if (r->found.evidence.sample.has_sentinel && part_has_size(s->not_cold) && s->not_cold > 0)
		entry_append(e, "Before %" PRIu64 " of %" PRIu64 " samples some flushed memory was "
		    "in cache again. Time again, or use another --flush.", s->not_cold, s->read);
}

static void
cut_short(struct entry *e, const struct result *r)
{
	const char	*by = r->found.technique.sample.ended_by;

	if (r->found.evidence.sample.cut_short || part_is(by, "budget") ||
	    part_is(by, "wall limit"))
		entry_append(e, "Time ran out before all samples were taken. Raise "
		    "timing.budget_ms of the spec, or timeout_ms.run of the job.");
}

/* ---- trust ---- */

#define NO_REFERENCE	"there is no reference to answer fresh inputs"

static void
only_claimed(struct entry *e, const struct result *r)
{
	const char	*reason = r->found.evidence.sample.claimed;

	if (!part_is(r->found.trust, "claimed") || part_is(reason, "no more was asked for"))
		return;
	entry_append(e, "The time is not confirmed from outside%s%s.%s",
	    reason != NULL ? ": " : "", reason != NULL ? reason : "",
	    part_is(reason, NO_REFERENCE) ? " A reference in check of the spec allows that, and "
	    "checks the answer." : "");
}

static doubt_fn *const doubts[] = {
	too_short, frequency_moved, withheld, odd_numbers, learned, conflicting, not_cold,
	memory_busy, not_calibrated, kept_unfit, cut_short, spread_wide, slow_before,
	slow_by_itself, biased, not_watched, only_claimed,
};

/* A line for each, the label in front of the first. */
static bool
put_each(const struct page *page, const struct result *r)
{
	bool	any = false;

	for (unsigned i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
		struct entry	e;

		entry_begin(&e, page, any ? "" : "doubts");
		doubts[i](&e, r);
		any = any || e.used > 0;
		entry_end(&e);
	}
	return any;
}

void
doubts_put(const struct page *page, const struct result *r)
{
	const enum status	st = results_outcome(r);

	if (st != ST_OK)
		advice_put(page, r);
	if ((st == ST_OK || st == ST_TOO_NOISY) && !put_each(page, r) && st == ST_OK)
		entry_put(page, "doubts", "none");
}
