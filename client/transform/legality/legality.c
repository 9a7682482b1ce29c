/* SPDX-License-Identifier: Apache-2.0 */
#include "client/transform/legality/alias.h"
#include "client/transform/legality/legality.h"
#include "client/transform/legality/order.h"
#include "client/transform/legality/verdict.h"
#include "client/transform/work/region.h"

static bool
is_dead(const struct work *w, struct region *r, const struct symbol *s)
{
	if (s->kind == SYMBOL_LOCAL)
		return !region_uses_outside(w, r, s) && (r->around == NULL ||
		    s->at.offset >= r->around->at.offset);
	if (s->kind == SYMBOL_STATIC)
		return !region_uses_outside(w, r, s) && !verdict_reads_first(&r->before, s);
	return false;
}

static struct liveness
liveness(const struct work *w, struct region *r)
{
	struct liveness	live = { NULL, 0 };

	for (size_t i = 0; i < w->nscratch; i++)
		work_add_symbol(w->arena, &live.dead, &live.n, w->scratch[i]);
	for (unsigned i = 0; i < r->before.nmemory; i++)
		if (is_dead(w, r, r->before.memory[i].symbol))
			work_add_symbol(w->arena, &live.dead, &live.n,
			    r->before.memory[i].symbol);
	return live;
}

/* A variable of a loop that the routine uses later would have another value then. */
static enum status
check_counters(const struct work *w, const struct region *r, struct fault *why)
{
	for (size_t i = 0; i < r->affine.ncounters; i++) {
		const struct symbol	*s = r->affine.counters[i];

		if (s->kind != SYMBOL_LOCAL && s->kind != SYMBOL_STATIC)
			return source_refuse(w->source, r->base->at, why,
			    "%s is the variable of a loop and lives longer than the routine",
			    s->name);
		if (region_uses_outside(w, r, s))
			return source_refuse(w->source, r->base->at, why,
			    "%s is the variable of a loop and is used after it", s->name);
	}
	return ST_OK;
}

static enum status
prove(struct work *w, struct region *r, const struct model *after, struct fault *why)
{
	struct liveness	live;
	struct order	order;
	enum status	st;

	if (r->before.has_problem || after->has_problem) {
		*why = r->before.has_problem ? r->before.problem : after->problem;
		return ST_BAD_SPEC;
	}
	if ((st = check_counters(w, r, why)) != ST_OK ||
	    (r->is_reordered && (st = alias_check(w, &r->before, why)) != ST_OK))
		return st;
	if ((st = verdict_instances(&r->before, after, why)) != ST_OK)
		return st;
	order_compare(&order, &r->before, after);
	if (!order.is_kept) {
		live = liveness(w, r);
		st = verdict_compare(&r->before, after, &live, order.turned, why);
	}
	order_release(&order);
	return st;
}

static enum status
check_region(struct work *w, struct region *r, struct fault *why)
{
	struct model	after;
	char		line[512];
	enum status	st;

	isl_ctx_reset_operations(w->ctx);
	if (!r->is_modelled && (st = model_init(&r->before, w->arena, w->source, &r->affine,
	    r->base, why)) != ST_OK)
		return st;
	r->is_modelled = true;
	if ((st = model_init(&after, w->arena, w->source, &r->affine, r->root, why)) == ST_OK)
		st = prove(w, r, &after, why);
	model_release(&after);
	if (st != ST_BAD_SPEC || !w->assumes)
		return st;
	if (w->assumed == NULL)
		w->assumed = arena_format(w->arena, "%s", fault_line(why, line, sizeof line));
	return ST_OK;
}

enum status
legality_check(struct work *w, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < w->nregions && st == ST_OK; i++)
		if (w->regions[i].is_changed && !w->is_proved)
			st = check_region(w, &w->regions[i], why);
	return st;
}
