/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/legality/legality.h"
#include "client/transform/steps/steps.h"
#include "proto/base/log.h"

/* What the words of a step are: names of loops or arrays, numbers, text. */
struct step_kind {
	const char	*word;
	enum status	(*apply)(struct work *, const struct step_args *, struct fault *);
	size_t		 nnames;	/* least number of names; 0: the names are optional */
	bool		 has_numbers;	/* as the last word */
	bool		 keeps_order;	/* and makes no claim about memory */
	bool		 claims;	/* about what is known; changes no tree */
	const char	*example;
};

static enum status	step_constant(struct work *, const struct step_args *, struct fault *);

static const struct step_kind	kinds[] = {
	{ "constant", step_constant, 0, false, false, true, "constant n=30" },
	{ "tile", step_tile, 1, true, false, false, "tile r,q 8,8" },
	{ "swap", step_swap, 1, false, false, false, "swap p s" },
	{ "fission", step_fission, 1, false, false, false, "fission p" },
	{ "fuse", step_fuse, 1, false, false, false, "fuse p#1 p#2" },
	{ "unroll", step_unroll, 1, true, true, false, "unroll s 4" },
	{ "jam", step_jam, 1, true, false, false, "jam q 2" },
	{ "copy", step_copy, 1, false, false, false, "copy x transposed" },
	{ "private", step_private, 1, false, false, false, "private sum" },
	{ "scratch", step_scratch, 1, false, false, true, "scratch sum" },
	{ "restrict", step_restrict, 0, false, false, true, "restrict" },
	{ "pragma", step_pragma, 1, false, true, false, "pragma p GCC unroll 4" },
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

const char *const	step_words[] = {
	"constant", "tile", "swap", "fission", "fuse", "unroll", "jam", "copy", "private",
	"scratch", "restrict", "pragma", NULL
};

struct symbol *
step_new_counter(struct work *w, const struct symbol *like, const char *ending)
{
	struct symbol	*s = arena_take(w->arena, sizeof *s);

	*s = *like;
	s->kind = SYMBOL_LOCAL;
	s->is_made = true;
	s->init = NULL;
	s->name = names_fresh(w->names, arena_format(w->arena, "%s%s", like->name, ending));
	return s;
}

/* ---- arguments ---- */

static void
split(struct work *w, const char *text, const char *between, const char **out, size_t *n)
{
	size_t	bytes;

	*n = 0;
	for (text += strspn(text, between); *text != '\0' && *n < SCRIPT_MAX_ITEMS;
	    text += strspn(text, between)) {
		bytes = strcspn(text, between);
		out[(*n)++] = arena_text(w->arena, text, bytes);
		text += bytes;
	}
}

static enum status
refuse_form(const struct work *w, const struct step_args *a, const struct step_kind *k,
    struct fault *why)
{
	(void)script_refuse(w->script, a->step, why, "%s: %s", k->word, a->nwords == 0 ?
	    "a word is missing" : "this is not how the step is written");
	fault_hint(why, "for example: %s", k->example);
	return ST_BAD_SPEC;
}

static enum status
read_args(struct work *w, const struct script_step *step, const struct step_kind *k,
    struct step_args *a, struct fault *why)
{
	enum status	st;

	*a = (struct step_args){ .step = step };
	a->text = script_fill(w->script, step->text);
	split(w, step->text, " \t", a->words, &a->nwords);
	if (a->nwords > 0)
		split(w, a->words[0], ",", a->names, &a->nnames);
	if (a->nnames < k->nnames || (k->has_numbers && a->nwords != 2))
		return refuse_form(w, a, k, why);
	if (!k->has_numbers || strcmp(a->words[1], "full") == 0)
		return ST_OK;
	if ((st = script_numbers(w->script, step, a->words[1], a->numbers, &a->nnumbers,
	    why)) != ST_OK)
		return st;
	for (size_t i = 0; i < a->nnumbers; i++)
		if (a->numbers[i] < 1 || a->numbers[i] > 1 << 20)
			return script_refuse(w->script, step, why,
			    "%lld is not between 1 and %d", (long long)a->numbers[i], 1 << 20);
	return ST_OK;
}

static const struct step_kind *
kind_of(const struct script_step *step)
{
	for (size_t i = 0; i < NKINDS; i++)
		if (strcmp(kinds[i].word, step->word) == 0)
			return &kinds[i];
	bug("step %s is not in the table", step->word);
}

static enum status
apply(struct work *w, const struct script_step *step, struct fault *why)
{
	const struct step_kind	*k = kind_of(step);
	struct step_args	 a;
	enum status		 st;

	if ((st = read_args(w, step, k, &a, why)) == ST_OK)
		st = k->apply(w, &a, why);
	return st;
}

bool
steps_may_fail(const struct script_step *step)
{
	return !kind_of(step)->claims;
}

size_t
steps_to_prove(const struct script *s, size_t n)
{
	while (n > 0 && kind_of(&s->steps[n - 1])->keeps_order)
		n--;
	return n;
}

enum status
steps_apply(struct work *w, size_t n, struct fault *why)
{
	const size_t	checked = steps_to_prove(w->script, n);
	enum status	st = ST_OK;

	for (size_t i = 0; i < n && st == ST_OK; i++) {
		if (i == checked && (st = legality_check(w, why)) != ST_OK)
			return st;
		st = apply(w, &w->script->steps[i], why);
	}
	return st == ST_OK && checked == n ? legality_check(w, why) : st;
}

/* ---- constant ---- */

static void
add_constant(struct work *w, struct symbol *s, int64_t value)
{
	w->constants = arena_grow(w->arena, w->constants, w->nconstants, sizeof *w->constants);
	w->constants[w->nconstants++] = (struct constant){ s, value };
}

static enum status
known_value(struct work *w, const struct script_step *step, struct symbol *s, struct fault *why)
{
	for (size_t i = 0; i < w->nknown; i++) {
		if (w->known[i].symbol == s) {
			add_constant(w, s, w->known[i].value);
			return ST_OK;
		}
	}
	(void)script_refuse(w->script, step, why, "%s has no known value", s->name);
	fault_hint(why, "give one, constant %s=30, or a spec that does: --spec", s->name);
	return ST_BAD_SPEC;
}

static enum status
add_named(struct work *w, const struct script_step *step, const char *word, struct fault *why)
{
	size_t		 n = strcspn(word, "=");
	struct symbol	*s = work_find_symbol(w, arena_text(w->arena, word, n));
	int64_t		 value;
	size_t		 count;
	enum status	 st;

	if (s == NULL || s->kind != SYMBOL_ARGUMENT ||
	    !(s->is_integer || (s->is_pointer && s->ndims == 1)))
		return script_refuse(w->script, step, why,
		    "%.*s is no integer argument of %s", (int)n, word, w->source->routine);
	if (node_assigns(w->source->body, s))
		return script_refuse(w->script, step, why, "%s is assigned in the routine",
		    s->name);
	if (word[n] == '\0')
		return known_value(w, step, s, why);
	if ((st = script_numbers(w->script, step, word + n + 1, &value, &count, why)) == ST_OK)
		add_constant(w, s, value);
	return st;
}

static enum status
add_constants(struct work *w, const struct script_step *step, struct fault *why)
{
	const char	*words[SCRIPT_MAX_ITEMS];
	size_t		 n;
	enum status	 st = ST_OK;

	split(w, step->text, " \t,", words, &n);
	for (size_t i = 0; i < n && st == ST_OK; i++)
		st = add_named(w, step, words[i], why);
	for (size_t i = 0; n == 0 && i < w->nknown; i++)
		if (!node_assigns(w->source->body, w->known[i].symbol))
			add_constant(w, w->known[i].symbol, w->known[i].value);
	if (n == 0 && w->nknown == 0) {
		st = script_refuse(w->script, step, why, "no argument has a known value");
		fault_hint(why, "give values, constant n=30, or a spec that does: --spec");
	}
	return st;
}

enum status
steps_constants(struct work *w, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < w->script->nsteps && st == ST_OK; i++)
		if (strcmp(w->script->steps[i].word, "constant") == 0)
			st = add_constants(w, &w->script->steps[i], why);
	return st;
}

/* The numbers are in the trees already; regions that have them are printed anew. */
static enum status
step_constant(struct work *w, const struct step_args *a, struct fault *why)
{
	(void)a;
	(void)why;
	for (size_t i = 0; i < w->nregions; i++)
		w->regions[i].is_printed = true;
	return ST_OK;
}
