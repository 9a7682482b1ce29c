/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps about memory.  private A: scratch memory of the body that uses it.  scratch A: its values
 * are not read after the nest.  restrict: what arguments point to does not overlap.
 */
#include <string.h>

#include "client/transform/steps/extent.h"
#include "client/transform/steps/steps.h"

static enum status
find_array(struct work *w, const struct step_args *args, struct symbol **out, struct fault *why)
{
	if ((*out = work_find_symbol(w, args->names[0])) == NULL)
		return script_refuse(w->script, args->step, why, "there is no %s in %s",
		    args->names[0], w->source->routine);
	if ((*out)->kind == SYMBOL_FUNCTION)
		return script_refuse(w->script, args->step, why, "%s is a function",
		    args->names[0]);
	return ST_OK;
}

enum status
step_scratch(struct work *w, const struct step_args *args, struct fault *why)
{
	struct symbol	*s;
	enum status	 st;

	if ((st = find_array(w, args, &s, why)) == ST_OK)
		work_add_symbol(w->arena, &w->scratch, &w->nscratch, s);
	return st;
}

/* ---- restrict ---- */

static void
add_edit(struct work *w, unsigned at, const char *text)
{
	w->edits = arena_grow(w->arena, w->edits, w->nedits, sizeof *w->edits);
	w->edits[w->nedits++] = (struct edit){ at, text };
}

/*
 * "double *a" gets it in front of its name, "double a[n]" in its first brackets.  "double (*a)[n]"
 * is like the first.
 */
static void
restrict_one(struct work *w, struct symbol *s)
{
	const char	*text = w->source->text;
	unsigned	 at = s->at.offset + (unsigned)strlen(s->name);

	while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')
		at++;
	work_add_symbol(w->arena, &w->restricted, &w->nrestricted, s);
	if (s->is_restrict)
		return;
	if (text[at] == '[')
		add_edit(w, at + 1, text[at + 1] == ']' ? "restrict" : "restrict ");
	else
		add_edit(w, s->at.offset, text[s->at.offset - 1] == '*' ||
		    text[s->at.offset - 1] == ' ' ? "restrict " : " restrict ");
}

enum status
step_restrict(struct work *w, const struct step_args *args, struct fault *why)
{
	struct symbol	*s;

	for (size_t i = 0; i < args->nwords; i++)
		if ((s = work_find_symbol(w, args->words[i])) == NULL || !s->is_pointer ||
		    s->kind != SYMBOL_ARGUMENT)
			return script_refuse(w->script, args->step, why,
			    "%s is no pointer argument of %s", args->words[i],
			    w->source->routine);
	for (size_t i = 0; i < w->source->nsymbols; i++) {
		bool	named = args->nwords == 0;

		s = w->source->symbols[i];
		for (size_t k = 0; k < args->nwords; k++)
			named = named || strcmp(args->words[k], s->name) == 0;
		if (named && s->kind == SYMBOL_ARGUMENT && s->is_pointer && !work_is_restrict(w, s))
			restrict_one(w, s);
	}
	return ST_OK;
}

/* ---- private ---- */

/* The innermost block that has all uses of a symbol. */
static struct node *
home_of(struct node *block, const struct symbol *s)
{
	struct node	*only = NULL;
	size_t		 users = 0;

	for (size_t i = 0; i < block->nkids; i++) {
		if (node_uses(block->kids[i], s)) {
			only = block->kids[i];
			users++;
		}
	}
	if (users != 1 || only->kind != NODE_LOOP || bounds_use(only, s))
		return block;
	return home_of(only->kids[0], s);
}

static struct symbol *
make_local(struct work *w, const struct symbol *of, const char *ending)
{
	struct symbol	*s = arena_take(w->arena, sizeof *s);

	*s = *of;
	s->kind = SYMBOL_LOCAL;
	s->is_made = true;
	s->is_pointer = s->is_restrict = false;
	s->init = NULL;
	s->name = names_fresh(w->names, arena_format(w->arena, "%s%s", of->name, ending));
	return s;
}

static struct node *
declare(struct work *w, struct symbol *s, const struct extent *e, struct place at)
{
	struct node	*n = node_new(w->arena, NODE_DECLARATION, at);

	n->declared = s;
	n->before = arena_format(w->arena, "%s ", s->element);
	n->after = "";
	for (size_t i = 0; i < e->n; i++) {
		s->dims[i] = e->size[i];
		n->after = arena_format(w->arena, "%s[%lld]", n->after, (long long)e->size[i]);
	}
	return n;
}

static void
put_first(struct work *w, struct node *block, struct node *n)
{
	struct node	*all[2];

	if (block->nkids == 0) {
		node_add(w->arena, block, n);
		return;
	}
	all[0] = n;
	all[1] = block->kids[0];
	node_splice(w->arena, block, 0, all, 2);
}

static void
note_written(struct work *w, struct region *r, struct symbol *s)
{
	r->affine.written = arena_grow(w->arena, r->affine.written, r->affine.nwritten,
	    sizeof *r->affine.written);
	r->affine.written[r->affine.nwritten++] = s;
}

static enum status
make_private(struct work *w, struct region *r, const struct step_args *args, struct symbol *s,
    struct fault *why)
{
	struct extent	 e = { .n = 0 };
	struct symbol	*own;
	struct node	*home;
	enum status	 st;

	if (s->ndims > 0 && (st = extent_find(w, r, args->step, s, &e, why)) != ST_OK)
		return st;
	home = home_of(r->root, s);
	own = make_local(w, s, "_private");
	node_replace(w->arena, home, s, term_name(w->arena, own));
	put_first(w, home, declare(w, own, &e, home->at));
	if (s->ndims == 0)
		note_written(w, r, own);
	r->is_changed = r->is_reordered = true;
	return ST_OK;
}

/* ---- private, of a variable that a body declares: an element for each iteration ---- */

struct declared_in {
	const struct symbol	*symbol;
	struct node		*loop, *block;	/* innermost loop; the block it stands in */
	size_t			 at;		/* in that block */
	struct node		*body;		/* block with the declaration */
	size_t			 kid;
};

static bool
find_declared(struct declared_in *d, struct node *block, struct node *loop, struct node *outer,
    size_t at)
{
	for (size_t i = 0; i < block->nkids; i++) {
		struct node	*n = block->kids[i];

		if (n->kind == NODE_DECLARATION && strcmp(n->declared->name,
		    d->symbol->name) == 0) {
			*d = (struct declared_in){ n->declared, loop, outer, at, block, i };
			return true;
		}
		if (n->kind == NODE_LOOP ? find_declared(d, n->kids[0], n, block, i) :
		    n->nkids > 0 && find_declared(d, n->kids[0], loop, outer, at))
			return true;
	}
	return false;
}

static enum status
expand(struct work *w, struct region *r, const struct step_args *args, struct declared_in *d,
    struct fault *why)
{
	struct arena	*a = w->arena;
	struct extent	 e = { .n = 1 };
	struct symbol	*own;
	struct term	*element, *set;
	struct node	*was = d->body->kids[d->kid], *n;

	if (d->loop == NULL || d->symbol->ndims > 0 || bounds_trip(d->loop) < 0 ||
	    d->loop->lo[0]->value < 0 || d->loop->hi[0]->value > 1 << 16)
		return script_refuse(w->script, args->step, why, "%s is no number with an element "
		    "for each iteration of a loop with constant ends", d->symbol->name);
	own = make_local(w, d->symbol, arena_format(a, "_%s", d->loop->var->name));
	own->ndims = 1;
	own->is_integer = false;
	e.size[0] = d->loop->hi[0]->value;
	element = term_index(a, term_name(a, own), term_name(a, d->loop->var));
	element->is_int = d->symbol->is_integer;
	node_replace(a, d->loop, d->symbol, element);
	if (was->term != NULL) {
		set = term_new(a, TERM_BINARY, 2);
		set->op = "=";
		set->a[0] = element;
		set->a[1] = was->term;
		set->at = was->at;
		n = node_new(a, NODE_STATEMENT, was->at);
		n->id = was->id;
		n->is_atom = true;
		n->term = set;
		n->origin = was->origin;
		n->norigin = was->norigin;
		d->body->kids[d->kid] = n;
	} else {
		node_splice(a, d->body, d->kid, NULL, 0);
	}
	put_first(w, d->block, declare(w, own, &e, d->loop->at));
	r->is_changed = r->is_reordered = true;
	return ST_OK;
}

enum status
step_private(struct work *w, const struct step_args *args, struct fault *why)
{
	struct symbol	*s;
	enum status	 st;

	if ((st = find_array(w, args, &s, why)) != ST_OK)
		return st;
	for (size_t i = 0; i < w->nregions; i++) {
		struct declared_in	d = { .symbol = s };

		if (find_declared(&d, w->regions[i].root, NULL, NULL, 0))
			return expand(w, &w->regions[i], args, &d, why);
		if (node_uses(w->regions[i].root, s)) {
			work_add_symbol(w->arena, &w->scratch, &w->nscratch, s);
			return make_private(w, &w->regions[i], args, s, why);
		}
	}
	return script_refuse(w->script, args->step, why, "no nest uses %s", s->name);
}
