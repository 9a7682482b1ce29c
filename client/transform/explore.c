/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variants without a script.  Orders of the loops come first: from the nest as it is written,
 * each suggested step makes further ones, and those of the least guessed cost go on.  The best
 * orders are then tiled, jammed and unrolled.  Illegal ones are refused by their dataflow, and left
 * out.
 *
 * Counts limit the work, not times: the same source has the same variants.
 */
#include <stdlib.h>
#include <string.h>

#include "client/transform/steps/steps.h"
#include "client/transform/steps/suggest.h"
#include "client/transform/variants_parts.h"
#include "client/transform/write/write.h"

enum {
	MAX_STEPS = 4,			/* of an order */
	BEAM = 4,			/* orders that go on, of each number of steps */
	MAX_ORDERS = 160,		/* legal and different */
	BEST_ORDERS = 5,		/* that are tiled, jammed and unrolled */
	MAX_VARIANTS = 400, MAX_UNROLLED = 2,
	MAX_OPERATIONS = 200 * 1000,	/* of isl, for one proof: a tenth of a script's */
};

struct order {
	const char	*steps;		/* lines of a script */
	double		 cost;
	size_t		 nsteps;
};

struct exploring {
	struct making	*m;
	struct order	 at[MAX_ORDERS];
	size_t		 n;
	json_t		*seen;		/* owned; sources as names */
};

/* ---- one script ---- */

/*
 * Values and memory that are known are used by all.  Steps that were proved before are not proved
 * again.  `tried` must be released by leave().
 */
struct tried {
	struct work	 work;
	struct arena	*outer;
};

static enum status
enter(struct exploring *x, const char *steps, bool is_proved, struct tried *t,
    struct fault *why)
{
	struct making	*m = x->m;
	const char	*text;
	enum status	 st;

	isl_ctx_reset_operations(m->ctx);
	t->outer = m->script.arena;
	m->script = (struct script){ .arena = arena_new() };
	t->work = (struct work){ .arena = NULL };
	text = arena_format(m->script.arena, "script 1\n%s%s%s", m->nknown > 0 ? "constant\n" : "",
	    m->request->is_distinct ? "restrict\n" : "", steps);
	if ((st = script_parse(&m->script, m->script.arena, m->source.path, text, strlen(text),
	    step_words, why)) != ST_OK)
		return st;
	variants_start_work(m, &t->work);
	t->work.is_proved = is_proved;
	return variants_run_steps(&t->work, m->script.nsteps, why);
}

static void
leave(struct exploring *x, struct tried *t)
{
	if (t->work.arena != NULL)
		work_release(&t->work);
	script_release(&x->m->script);
	arena_free(x->m->script.arena);
	x->m->script = (struct script){ .arena = t->outer };
}

/* No other steps made the same text. */
static bool
is_new(struct exploring *x, struct work *w)
{
	const char	*text = write_source(w);

	if (json_object_get(x->seen, text) != NULL)
		return false;
	return json_object_set_new(x->seen, text, json_true()) == 0;
}

/* ---- orders ---- */

/* A step that is impossible or illegal leaves no order. */
static enum status
add_order(struct exploring *x, const char *steps, size_t nsteps, struct fault *why)
{
	struct tried	t;
	enum status	st = enter(x, steps, false, &t, why);

	if (st == ST_OK && x->n < MAX_ORDERS && is_new(x, &t.work))
		x->at[x->n++] = (struct order){ .steps = arena_format(x->m->arena, "%s", steps),
		    .cost = suggest_cost(&t.work), .nsteps = nsteps };
	leave(x, &t);
	return st == ST_BAD_SPEC && nsteps > 0 ? ST_OK : st;
}

/* Steps of different kinds are tried in one order only: most others end in the same text. */
static int
rank_of(const char *step)
{
	static const char *const	kinds[] = { "private", "fission", "swap", "copy", NULL };
	int				k = 0;

	while (kinds[k] != NULL && strncmp(step, kinds[k], strlen(kinds[k])) != 0)
		k++;
	return k;
}

static int
last_rank(const char *steps)
{
	const char	*last = steps;

	for (const char *at = steps; (at = strchr(at, '\n')) != NULL && *++at != '\0';)
		last = at;
	return *steps == '\0' ? 0 : rank_of(last);
}

static enum status
add_next(struct exploring *x, const struct order *from, struct fault *why)
{
	struct suggestions	*s = calloc(1, sizeof *s);
	struct tried		 t;
	enum status		 st;

	if (s == NULL)
		return fault_set(why, ST_NOMEM, "orders");
	if ((st = enter(x, from->steps, true, &t, why)) == ST_OK)
		suggest_orders(&t.work, s);
	leave(x, &t);
	for (size_t i = 0; st == ST_OK && i < s->n; i++)
		if (rank_of(s->step[i]) >= last_rank(from->steps))
			st = add_order(x, arena_format(x->m->arena, "%s%s\n", from->steps,
			    s->step[i]), from->nsteps + 1, why);
	free(s);
	return st;
}

static int
by_cost(const void *a, const void *b)
{
	const struct order	*x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->nsteps != y->nsteps)
		return x->nsteps < y->nsteps ? -1 : 1;
	return strcmp(x->steps, y->steps);
}

static enum status
find_orders(struct exploring *x, struct fault *why)
{
	struct order	beam[BEAM];
	size_t		first = 0;
	enum status	st = add_order(x, "", 0, why);

	for (size_t steps = 0; st == ST_OK && steps < MAX_STEPS && first < x->n; steps++) {
		size_t	n = x->n - first < BEAM ? x->n - first : BEAM;

		qsort(x->at + first, x->n - first, sizeof x->at[0], by_cost);
		memcpy(beam, x->at + first, n * sizeof beam[0]);
		first = x->n;
		for (size_t i = 0; st == ST_OK && i < n; i++)
			st = add_next(x, &beam[i], why);
	}
	if (st == ST_OK && x->n > 1)
		qsort(x->at + 1, x->n - 1, sizeof x->at[0], by_cost);
	return st;
}

/* ---- variants ---- */

struct finishing {
	struct exploring	*x;
	const struct order	*order;
	struct suggestions	 tiles, jams, unrolls;
};

/* "fission p; swap p s" for the lines of an order. */
static json_t *
order_words(const struct order *o)
{
	char	*text = strdup(o->steps[0] != '\0' ? o->steps : "as written\n"), *at;
	json_t	*words;
	size_t	 n = text != NULL ? strlen(text) : 0;

	if (n > 0)
		text[n - 1] = '\0';
	for (at = text; at != NULL && (at = strchr(at, '\n')) != NULL;)
		*at = ';';
	words = json_string(text != NULL ? text : "");
	free(text);
	return words;
}

static const char *
operands_of(const char *step)
{
	return step == NULL ? "no" : strchr(step, ' ') + 1;
}

static enum status
add_variant(struct finishing *f, const char *tile, const char *jam, const char *unroll,
    struct fault *why)
{
	struct making	*m = f->x->m;
	/* unrolling leaves the order as it is; with a jam it follows the jam alone */
	const bool	 proved = tile == NULL && (jam == NULL || unroll != NULL);
	struct tried	 t;
	json_t		*order = order_words(f->order), *point;
	const char	*steps, *name;
	enum status	 st;

	steps = arena_format(m->arena, "%s%s%s%s%s%s%s", f->order->steps, tile != NULL ? tile : "",
	    tile != NULL ? "\n" : "", jam != NULL ? jam : "", jam != NULL ? "\n" : "",
	    unroll != NULL ? unroll : "", unroll != NULL ? "\n" : "");
	name = arena_format(m->arena, "%s%s%s%s%s%s%s", json_string_value(order),
	    tile != NULL ? ";" : "", tile != NULL ? tile : "", jam != NULL ? ";" : "",
	    jam != NULL ? jam : "", unroll != NULL ? ";" : "", unroll != NULL ? unroll : "");
	if ((st = enter(f->x, steps, proved, &t, why)) == ST_OK && ((tile == NULL && jam == NULL &&
	    unroll == NULL) || is_new(f->x, &t.work))) {
		point = json_pack("{s:O, s:s, s:s, s:s}", "order", order, "tile",
		    operands_of(tile), "jam", operands_of(jam), "unroll", operands_of(unroll));
		variants_add(m, &t.work, name, point);
	}
	leave(f->x, &t);
	json_decref(order);
	return st == ST_BAD_SPEC ? ST_OK : st;
}

/* "jam s 3" and "jam s 6" differ in a number alone. */
static bool
is_like(const char *step, const char *other)
{
	const size_t	n = (size_t)(strrchr(step, ' ') - step);

	return other != NULL && strncmp(step, other, n + 1) == 0;
}

static bool
has_room(const struct finishing *f)
{
	return json_array_size(f->x->m->variants) < MAX_VARIANTS;
}

/*
 * Each tile or jam alone.  Where a loop cannot be jammed twice, it can hardly be jammed six times,
 * and that proof would take longest.
 */
static enum status
add_each(struct finishing *f, const struct suggestions *of, bool jams, struct fault *why)
{
	const size_t	few = !jams ? 0 : f->unrolls.n < MAX_UNROLLED ? f->unrolls.n :
			    MAX_UNROLLED;
	const char	*refused = NULL;
	enum status	st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < of->n && has_room(f); i++) {
		const size_t	had = json_array_size(f->x->m->variants);

		if (is_like(of->step[i], refused))
			continue;
		st = jams ? add_variant(f, NULL, of->step[i], NULL, why) :
		    add_variant(f, of->step[i], NULL, NULL, why);
		if (json_array_size(f->x->m->variants) == had)
			refused = of->step[i];
		for (size_t k = 0; st == ST_OK && refused != of->step[i] && k < few &&
		    has_room(f); k++)
			st = add_variant(f, NULL, of->step[i], f->unrolls.step[k], why);
	}
	return st;
}

/* One of each kind at most; a jam may have its inner loops unrolled. */
static enum status
add_variants(struct finishing *f, struct fault *why)
{
	enum status	st = add_variant(f, NULL, NULL, NULL, why);

	if (st == ST_OK)
		st = add_each(f, &f->tiles, false, why);
	for (size_t i = 0; st == ST_OK && i < f->unrolls.n && has_room(f); i++)
		st = add_variant(f, NULL, NULL, f->unrolls.step[i], why);
	return st == ST_OK ? add_each(f, &f->jams, true, why) : st;
}

static enum status
finish_order(struct exploring *x, const struct order *order, struct fault *why)
{
	struct finishing	*f = calloc(1, sizeof *f);
	struct tried		 t;
	enum status		 st;

	if (f == NULL)
		return fault_set(why, ST_NOMEM, "variants");
	f->x = x;
	f->order = order;
	if ((st = enter(x, order->steps, true, &t, why)) == ST_OK) {
		suggest_tiles(&t.work, &f->tiles);
		suggest_jams(&t.work, &f->jams);
		suggest_unrolls(&t.work, &f->unrolls);
	}
	leave(x, &t);
	if (st == ST_OK)
		st = add_variants(f, why);
	free(f);
	return st;
}

/* What the others are compared with. */
static void
add_unchanged(struct making *m)
{
	(void)json_array_append_new(m->variants, json_pack("{s:s, s:s%, s:{s:s, s:s, s:s, s:s}}",
	    "name", "unchanged", "source", m->source.text, m->source.bytes, "point", "order",
	    "unchanged", "tile", "no", "jam", "no", "unroll", "no"));
}

enum status
explore_make(struct making *m, struct fault *why)
{
	struct exploring	*x = calloc(1, sizeof *x);
	enum status		 st;

	if (x == NULL || (x->seen = json_object()) == NULL) {
		free(x);
		return fault_set(why, ST_NOMEM, "orders");
	}
	x->m = m;
	add_unchanged(m);
	isl_ctx_set_max_operations(m->ctx, MAX_OPERATIONS);
	st = find_orders(x, why);
	for (size_t i = 0; st == ST_OK && i < x->n && i < BEST_ORDERS; i++)
		if (x->at[i].cost <= x->at[0].cost)
			st = finish_order(x, &x->at[i], why);
	json_decref(x->seen);
	free(x);
	return st;
}
