/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "client/print/format.h"
#include "client/report/part.h"

/* ---- operands ---- */

static const struct part_wording contexts[] = {
	{ "cold", "out of all caches (cold)" }, { "warm", "in cache (warm)" },
	{ "flush_bytes", "out of cache in part" }, { "flush_level", "out of the inner caches" },
	{ NULL, NULL },
};
static const struct part_wording methods[] = {
	{ "none", "nothing was flushed" },
	{ "OneCallFlushX86", "their cache lines were flushed before each call (OneCallFlushX86)" },
	{ "OneCallFlushLRU",
	    "other memory was read before each call to replace them (OneCallFlushLRU)" },
	{ "MultiCallFlushLRU",
	    "calls took turns with many sets of operands (MultiCallFlushLRU)" },
	{ "ChallengeResponse", "each call had fresh ones (ChallengeResponse)" },
	{ "Checkpoint", "each sample restarted the application's image (Checkpoint)" },
	{ "Program", "each sample was one run of the program (Program)" },
	{ NULL, NULL },
};
static const struct part_wording inouts[] = {
	{ "kept", "changed operands stayed as a call left them" },
	{ "restored per call", "changed operands were restored before each call" },
	{ "restored per sample", "changed operands were restored before each sample" },
	{ NULL, NULL },
};

/* What is not so by itself.  A call leaves what it writes dirty, and what it reads clean. */
static void
add_states(struct entry *e, const struct technique *t)
{
	const struct operand_report	*o = t->operands.at;

	for (size_t i = 0; i < t->operands.n; i++) {
		const bool	written = !part_is(o[i].access, "in");

		if (part_is(o[i].memory, "static"))
			entry_clause(e, "%s was a static array", o[i].name);
		if (!written && part_is(o[i].state, "dirty"))
			entry_clause(e, "%s had just been written (dirty)", o[i].name);
		else if (written && part_is(o[i].state, "clean") && !part_is(o[i].cache, "cold"))
			entry_clause(e, "%s had been written back (clean)", o[i].name);
	}
}

static void
put_operands(const struct page *page, const struct technique *t)
{
	struct entry	e;
	char		a[FORMAT_BYTES];

	entry_begin(&e, page, "operands");
	part_add_wording(&e, contexts, t->context);
	part_add_wording(&e, methods, t->method);
	if (part_has_size(t->working_sets) && t->working_sets > 1)
		entry_clause(&e, part_is(t->walk, "stroll") ? "%" PRIu64 " sets in turn%s" :
		    "%" PRIu64 " sets walked %s", t->working_sets, part_is(t->walk, "stroll") ?
		    "" : t->walk != NULL ? t->walk : "in turn");
	if (part_has_size(t->flush_bytes) && t->flush_bytes > 0)
		entry_clause(&e, "%s in all", format_bytes((double)t->flush_bytes, a));
	part_add_wording(&e, inouts, t->inout);
	add_states(&e, t);
	if (part_is(t->flush.code, "in cache"))
		entry_clause(&e, "the routine's code stayed in cache");
	entry_end(&e);
}

static void
put_inputs(const struct page *page, const struct result *r)
{
	const struct technique	*t = &r->found.technique;
	struct entry		 e;

	if (t->rotation == NULL || part_is(t->rotation, "none") || !part_has_size(t->inputs))
		return;
	entry_begin(&e, page, "inputs");
	entry_add(&e, "%" PRIu64 " took turns", t->inputs);
	if (part_is(t->rotation, "learned"))
		entry_append(&e, ", because the core learns one by heart: inputs never met take "
		    "%.2g times as long", r->found.evidence.sample.learned);
	entry_end(&e);
}

static void
put_image(const struct page *page, const struct technique *t)
{
	if (t->has_checkpoint && t->checkpoint.image != NULL)
		entry_put(page, "image", "%s, restarted for each sample; the last of its %" PRIu64
		    " calls was timed", t->checkpoint.image,
		    part_has_size(t->checkpoint.calls) ? t->checkpoint.calls : 0);
}

/* ---- precautions ---- */

static void
add_range_guard(struct entry *e, const struct guard_report *g)
{
	entry_clause(e, "numbers were kept in range");
	if (g->form != NULL)
		entry_append(e, " (%s%s%s%s%s)", g->form, g->of != NULL ? " " : "",
		    g->of != NULL ? g->of : "", g->at != NULL ? " at " : "",
		    g->at != NULL ? g->at : "");
}

static void
put_guards(const struct page *page, const struct technique *t)
{
	static const struct part_wording	words[] = {
		{ "Page0Guard", "each page of the operands had its own memory" },
		{ "InstLdGuard", "an untimed call had loaded the code" },
		{ "MemAlign", "operands were aligned as the spec asks" }, { NULL, NULL },
	};
	struct entry	e;

	entry_begin(&e, page, "precautions");
	for (size_t i = 0; i < t->guards.n; i++) {
		if (part_is(t->guards.x[i], "RangeGuard"))
			add_range_guard(&e, &t->range_guard);
		else
			part_add_wording(&e, words, t->guards.x[i]);
	}
	entry_end(&e);
}

void
operands_put(const struct page *page, const struct result *r)
{
	put_operands(page, &r->found.technique);
	put_inputs(page, r);
	put_image(page, &r->found.technique);
	put_guards(page, &r->found.technique);
}
