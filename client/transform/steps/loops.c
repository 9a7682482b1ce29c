/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/steps/loops.h"

enum { MAX_NAMED = 64 };

struct looking {
	struct region	*region;
	const char	*name;
	size_t		 bytes;
	struct loop_at	*out;
	size_t		 n, most;
};

static void
look(struct looking *l, struct node *n)
{
	for (size_t i = 0; i < n->nkids; i++) {
		struct node	*kid = n->kids[i];

		if (kid->kind == NODE_LOOP && !kid->is_left && strlen(kid->var->name) == l->bytes &&
		    strncmp(kid->var->name, l->name, l->bytes) == 0) {
			if (l->n < l->most)
				l->out[l->n] = (struct loop_at){ l->region, n, i, kid };
			l->n++;
		}
		look(l, kid);
	}
}

size_t
loops_all(struct work *w, const char *name, struct loop_at *out, size_t most)
{
	struct looking	l = { NULL, name, strcspn(name, "#"), out, 0, most };

	for (size_t i = 0; i < w->nregions; i++) {
		l.region = &w->regions[i];
		look(&l, w->regions[i].root);
	}
	return l.n < most ? l.n : most;
}

/* ---- faults ---- */

struct loop_names {
	char	text[256];
};

static bool
note_loop(void *arg, struct node *n)
{
	struct loop_names	*to = arg;
	size_t			 used = strlen(to->text);

	if (n->kind == NODE_LOOP)
		(void)snprintf(to->text + used, sizeof to->text - used, "%s%s", used > 0 ? ", " :
		    "", n->var->name);
	return true;
}

static enum status
refuse_unknown(struct work *w, const struct script_step *step, const char *name,
    struct fault *why)
{
	struct loop_names	 names = { "" };
	const struct source	*s = w->source;
	const struct problem	*p = source_problem(s, 0, (unsigned)s->bytes);

	for (size_t i = 0; i < w->nregions; i++)
		(void)node_visit(w->regions[i].root, note_loop, &names);
	if (p != NULL)
		(void)script_refuse(w->script, step, why, "there is no loop %s in what is "
		    "understood of %s (%s:%u:%u: %s)", name, s->routine, s->path, p->at.line,
		    p->at.column, p->text);
	else
		(void)script_refuse(w->script, step, why, "there is no loop %s in %s", name,
		    s->routine);
	fault_hint(why, "its loops are: %s", names.text[0] != '\0' ? names.text : "none");
	return ST_BAD_SPEC;
}

static enum status
refuse_several(struct work *w, const struct script_step *step, const char *name,
    const struct loop_at *all, size_t n, struct fault *why)
{
	char	text[200] = "";
	size_t	used = 0;

	for (size_t i = 0; i < n && used + 40 < sizeof text; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s#%zu in line %u",
		    i > 0 ? ", " : "", name, i + 1, all[i].loop->at.line);
	(void)script_refuse(w->script, step, why, "%zu loops are called %s", n, name);
	fault_hint(why, "say which: %s", text);
	return ST_BAD_SPEC;
}

enum status
loops_find(struct work *w, const struct script_step *step, const char *name,
    struct loop_at *out, struct fault *why)
{
	struct loop_at	 all[MAX_NAMED];
	size_t		 n = loops_all(w, name, all, MAX_NAMED);
	const char	*number = strchr(name, '#');
	long		 k = number != NULL ? strtol(number + 1, NULL, 10) : 1;

	if (n == 0 || k < 1 || (size_t)k > n)
		return refuse_unknown(w, step, name, why);
	if (n > 1 && number == NULL)
		return refuse_several(w, step, name, all, n, why);
	*out = all[k - 1];
	return ST_OK;
}

/* ---- chains ---- */

static bool
is_called(const struct node *loop, const char *name)
{
	size_t	n = strcspn(name, "#");

	return strlen(loop->var->name) == n && strncmp(loop->var->name, name, n) == 0;
}

/* Follows a chain down until all names are found; false: it ends before. */
static bool
follow(struct chain *c, struct node *loop, const char *const *names, size_t n)
{
	size_t	found = 0;
	bool	seen[SCRIPT_MAX_ITEMS] = { false };

	c->n = 0;
	while (loop != NULL && loop->kind == NODE_LOOP && c->n < LOOPS_MAX_CHAIN) {
		c->loops[c->n++] = loop;
		for (size_t i = 0; i < n; i++) {
			if (!seen[i] && is_called(loop, names[i])) {
				seen[i] = true;
				c->named[i] = c->n - 1;
				found++;
			}
		}
		if (found == n)
			return true;
		loop = node_only_kid(loop);
	}
	return false;
}

static enum status
refuse_chain(struct work *w, const struct script_step *step, const char *const *names,
    const struct loop_at *top, struct fault *why)
{
	struct node	*loop = top->loop, *only;

	while ((only = node_only_kid(loop)) != NULL && only->kind == NODE_LOOP)
		loop = only;
	(void)script_refuse(w->script, step, why, "the loops are not each alone in the one "
	    "around it: beside other statements in loop %s, %s:%u:%u", loop->var->name,
	    w->source->path, loop->at.line, loop->at.column);
	fault_hint(why, "order the loops as they stand (%s first?), or split loop %s: fission %s",
	    names[0], loop->var->name, loop->var->name);
	return ST_BAD_SPEC;
}

enum status
loops_chain(struct work *w, const struct script_step *step, const char *const *names, size_t n,
    bool any_order, struct chain *c, struct fault *why)
{
	struct loop_at	all[MAX_NAMED], one, first = { NULL, NULL, 0, NULL };
	size_t		nall, fits = 0;
	struct chain	tried;
	enum status	st;

	for (size_t i = 0; i < n; i++)
		if (loops_all(w, names[i], &one, 1) == 0)
			return refuse_unknown(w, step, names[i], why);
	for (size_t k = 0; k < (any_order ? n : 1); k++) {
		nall = strchr(names[k], '#') != NULL ? 1 : loops_all(w, names[k], all, MAX_NAMED);
		if (strchr(names[k], '#') != NULL &&
		    (st = loops_find(w, step, names[k], &all[0], why)) != ST_OK)
			return st;
		for (size_t i = 0; i < nall; i++) {
			first = first.loop == NULL ? all[i] : first;
			if (!follow(&tried, all[i].loop, names, n))
				continue;
			*c = tried;
			c->top = all[i];
			if (fits++ > 0)
				return refuse_several(w, step, names[k], all, nall, why);
		}
	}
	return fits == 1 ? ST_OK : refuse_chain(w, step, names, &first, why);
}
