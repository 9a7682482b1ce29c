/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "client/print/format.h"
#include "client/report/part.h"

/* ---- the answer ---- */

static void
add_errors(struct entry *e, const struct check_report *c)
{
	if (!isnan(c->max_abs) && !isnan(c->max_rel))
		entry_clause(e, "largest error %.3g absolute and %.3g relative", c->max_abs,
		    c->max_rel);
	if (!isnan(c->rtol) && !isnan(c->atol))
		entry_append(e, ", allowed %.3g + %.3g of the value", c->atol, c->rtol);
}

static void
put_answer(const struct page *page, const struct result *r)
{
	const struct check_report	*c = &r->found.check;
	struct entry			 e;

	if (!c->done) {
		if (r->has_time)
			entry_put(page, "answer", "not checked: the spec has no reference");
		return;
	}
	entry_begin(&e, page, "answer");
	entry_add(&e, "%s", c->passed ? "right" : "WRONG");
	if (part_has_size(c->compared))
		entry_append(&e, ": %" PRIu64 " value%s compared with the reference's",
		    c->compared, part_plural(c->compared));
	add_errors(&e, c);
	entry_end(&e);
}

/* ---- trust ---- */

static void
put_trust(const struct page *page, const char *trust)
{
	static const struct {
		const char	*word, *text;
	} words[] = {
		{ "claimed", "only the routine's own process reports this time" },
		{ "audited", "calls on fresh operands, timed from outside and checked, "
		    "confirm this time" },
		{ "verified", "the samples themselves were timed from outside and checked" },
		{ "suspect", "something contradicts this time" },
	};

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (part_is(trust, words[i].word))
			entry_put(page, "trust", "%s: %s", trust, words[i].text);
}

/* ---- disturbances ---- */

static void
put_quiet(const struct page *page, const struct result *r)
{
	const struct sample_evidence	*s = &r->found.evidence.sample;
	const char			*off = part_off_reason(r->found.technique.sample.canary);
	struct entry			 e;

	entry_begin(&e, page, "quiet");
	if (part_has_size(s->rejected) && part_has_size(s->taken))
		entry_clause(&e, "%" PRIu64 " of %" PRIu64 " samples rejected, since something "
		    "else was active beside them", s->rejected, s->taken);
	if (off != NULL)
		entry_clause(&e, "the core was not watched for other programs: %s", off);
	entry_end(&e);
}

static void
add_count(struct entry *e, uint64_t n, const char *text)
{
	if (part_has_size(n))
		entry_add(e, "%" PRIu64 " %s%s", n, text, part_plural(n));
}

static void
put_kernel(const struct page *page, const struct sample_evidence *s)
{
	struct entry	e;

	entry_begin(&e, page, "kernel");
	add_count(&e, s->involuntary_switches, "interruption");
	add_count(&e, s->migrations, "move");
	if (part_has_size(s->migrations))
		entry_append(&e, " to another CPU");
	add_count(&e, s->faults, "page fault");
	if (e.used > 0)
		entry_append(&e, " during samples");
	entry_end(&e);
}

static void
put_place_of_failure(const struct page *page, const struct evidence *e)
{
	static const struct part_wording	phases[] = {
		{ "load", "loading" }, { "check", "the call with the checked answer" },
		{ "warm-up", "a call before the first sample" },
		{ "timed phase", "a timed call" }, { NULL, NULL },
	};
	struct entry				at;

	entry_begin(&at, page, "failed in");
	part_add_wording(&at, phases, e->failed_in);
	if (part_is(e->failed, "against"))
		entry_append(&at, ", of the variant to compare with");
	entry_end(&at);
}

void
quality_put(const struct page *page, const struct result *r)
{
	put_answer(page, r);
	put_trust(page, r->found.trust);
	put_quiet(page, r);
	put_kernel(page, &r->found.evidence.sample);
	put_place_of_failure(page, &r->found.evidence);
}
