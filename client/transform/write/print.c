/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/transform/tree/text.h"
#include "client/transform/write/print.h"

struct printer {
	struct arena	*arena;
	struct names	*names;
	FILE		*to;
	print_is_free_fn *is_free;
	void		*is_free_arg;
	const char	*rest_end;	/* the smaller end of the unrolled loop before; NULL: as it
					 * stands */
};

static void	put_node(struct printer *, const struct node *, const struct node *next,
		    unsigned depth);

static void
put_tabs(const struct printer *p, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		(void)fputc('\t', p->to);
}

/* x > y ? x : y, of as many as there are */
static void
put_choice(const struct printer *p, struct term *const *terms, size_t n, const char *op)
{
	struct term	*t = terms[0], *choice;

	for (size_t i = 1; i < n; i++) {
		choice = term_new(p->arena, TERM_COND, 3);
		choice->a[0] = term_new(p->arena, TERM_BINARY, 2);
		choice->a[0]->op = op;
		choice->a[0]->a[0] = terms[i];
		choice->a[0]->a[1] = t;
		choice->a[1] = terms[i];
		choice->a[2] = t;
		t = choice;
	}
	text_put(p->to, t);
}

/* A bound with a name of its own if it is one of several; NULL: it stands in the loop. */
static const char *
put_bound(struct printer *p, const struct node *loop, bool is_end, unsigned depth)
{
	struct term	*const *terms = is_end ? loop->hi : loop->lo;
	size_t		 n = is_end ? loop->nhi : loop->nlo;
	const char	*name;

	if (n == 1)
		return NULL;
	name = names_fresh(p->names, arena_format(p->arena, "%s_%s", loop->var->name,
	    is_end ? "end" : "begin"));
	put_tabs(p, depth);
	(void)fprintf(p->to, "const %s %s = ", loop->var->type, name);
	put_choice(p, terms, n, is_end ? "<" : ">");
	(void)fputs(";\n", p->to);
	return name;
}

static void
put_named(const struct printer *p, const char *name, const struct term *t)
{
	if (name != NULL)
		(void)fputs(name, p->to);
	else
		text_put(p->to, t);
}

static void
put_first(const struct printer *p, const struct node *l, const char *begin, const char *end)
{
	if (!l->is_down) {
		put_named(p, begin, l->lo[0]);
	} else if (end != NULL) {
		(void)fprintf(p->to, "%s - 1", end);
	} else {
		text_put(p->to, term_plus(p->arena, l->hi[0], -1));
	}
}

/* var + ahead < end; downwards, var - ahead >= begin */
static void
put_condition(const struct printer *p, const struct node *l, const char *begin, const char *end)
{
	(void)fputs(l->var->name, p->to);
	if (l->ahead > 0)
		(void)fprintf(p->to, " %s %" PRId64, l->is_down ? "-" : "+", l->ahead);
	(void)fputs(l->is_down ? " >= " : " < ", p->to);
	put_named(p, l->is_down ? begin : end, l->is_down ? l->lo[0] : l->hi[0]);
}

static void
put_increment(const struct printer *p, const struct node *l)
{
	char	sign = l->is_down ? '-' : '+';

	if (l->step == 1)
		(void)fprintf(p->to, "%s%c%c", l->var->name, sign, sign);
	else
		(void)fprintf(p->to, "%s %c= %" PRId64, l->var->name, sign, l->step);
}

static bool
is_followed(const struct node *loop, const struct node *next)
{
	return next != NULL && next->kind == NODE_LOOP && next->is_rest && next->var == loop->var;
}

/* ---- a variable in front of its loops ---- */

struct same_name {
	struct node		*within;
	const struct symbol	*symbol;
	const struct symbol	*looked_for;
};

static bool
is_not_its_loop(void *arg, struct node *n)
{
	const struct same_name	*s = arg;

	return n->kind != NODE_LOOP || !n->declares || n->var != s->looked_for;
}

static bool
is_no_clash(void *arg, struct term *t)
{
	struct same_name	*s = arg;

	if (t->kind != TERM_NAME || t->symbol == s->symbol ||
	    strcmp(t->symbol->name, s->symbol->name) != 0)
		return true;
	s->looked_for = t->symbol;
	return !node_visit(s->within, is_not_its_loop, s);
}

/* The two loops share a variable that they declare. */
static bool
is_shared(struct node *const *kids, size_t n, size_t at)
{
	return kids[at]->kind == NODE_LOOP && kids[at]->declares &&
	    is_followed(kids[at], at + 1 < n ? kids[at + 1] : NULL);
}

/* Another node of the block would see the variable of loop `at`, or declares one of that name. */
static bool
has_clash(struct node *const *kids, size_t n, size_t at)
{
	struct same_name	s = { .symbol = kids[at]->var };

	for (size_t i = 0; i < n; i++) {
		if (i == at || i == at + 1)
			continue;
		if (kids[i]->kind == NODE_DECLARATION &&
		    strcmp(kids[i]->declared->name, s.symbol->name) == 0)
			return true;
		if (is_shared(kids, n, i) && strcmp(kids[i]->var->name, s.symbol->name) == 0)
			return true;
		s.within = kids[i];
		if (!node_visit_terms(kids[i], is_no_clash, &s))
			return true;
	}
	return false;
}

/* `is_top`: the routine may have more in this block than these. */
static void
put_kids(struct printer *p, struct node *const *kids, size_t n, unsigned depth, bool is_top)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_shared(kids, n, i) || (!has_clash(kids, n, i) && (!is_top ||
		    p->is_free(p->is_free_arg, kids[i]->var->name)))) {
			put_node(p, kids[i], i + 1 < n ? kids[i + 1] : NULL, depth);
			continue;
		}
		put_tabs(p, depth);
		(void)fputs("{\n", p->to);
		put_node(p, kids[i], kids[i + 1], depth + 1);
		i++;
		put_node(p, kids[i], NULL, depth + 1);
		put_tabs(p, depth);
		(void)fputs("}\n", p->to);
	}
}

static void
put_block(struct printer *p, const struct node *block, unsigned depth)
{
	put_kids(p, block->kids, block->nkids, depth, false);
}

/* ---- nodes ---- */

static bool
is_simple(const struct node *block)
{
	return block->nkids == 1 && block->kids[0]->kind == NODE_STATEMENT &&
	    block->kids[0]->comment == NULL;
}

static void
put_body(struct printer *p, const struct node *block, unsigned depth, bool closes)
{
	if (is_simple(block) && closes) {
		(void)fputs("\n", p->to);
		put_block(p, block, depth + 1);
		return;
	}
	(void)fputs(" {\n", p->to);
	put_block(p, block, depth + 1);
	put_tabs(p, depth);
	(void)fputs(closes ? "}\n" : "}", p->to);
}

static void
put_pragmas(const struct printer *p, const struct node *l)
{
	for (size_t i = 0; i < l->npragmas; i++)
		(void)fprintf(p->to, "#pragma %s\n", l->pragmas[i]);
}

/* An unrolled loop and the rest share the variable, which is then declared in front of both. */
static void
put_loop(struct printer *p, const struct node *l, const struct node *next, unsigned depth)
{
	bool		 followed = is_followed(l, next);
	const char	*begin = NULL, *end = p->rest_end;

	if (!l->is_rest || l->is_down)
		begin = put_bound(p, l, false, depth);
	if (!l->is_rest)
		end = put_bound(p, l, true, depth);
	if (followed && l->declares) {
		put_tabs(p, depth);
		(void)fprintf(p->to, "%s %s = ", l->var->type, l->var->name);
		put_first(p, l, begin, end);
		(void)fputs(";\n", p->to);
	}
	put_pragmas(p, l);
	put_tabs(p, depth);
	(void)fputs("for (", p->to);
	if (!l->is_rest && !(followed && l->declares)) {
		(void)fprintf(p->to, "%s%s%s = ", l->declares ? l->var->type : "",
		    l->declares ? " " : "", l->var->name);
		put_first(p, l, begin, end);
	}
	(void)fputs("; ", p->to);
	put_condition(p, l, begin, end);
	(void)fputs("; ", p->to);
	put_increment(p, l);
	(void)fputs(")", p->to);
	put_body(p, l->kids[0], depth, true);
	p->rest_end = followed ? end : NULL;
}

static void
put_if(struct printer *p, const struct node *n, unsigned depth)
{
	put_tabs(p, depth);
	(void)fputs("if (", p->to);
	text_put(p->to, n->cond);
	(void)fputs(")", p->to);
	put_body(p, n->kids[0], depth, n->nkids == 1);
	if (n->nkids == 1)
		return;
	(void)fputs(" else", p->to);
	put_body(p, n->kids[1], depth, true);
}

static void
put_declaration(const struct printer *p, const struct node *n, unsigned depth)
{
	put_tabs(p, depth);
	(void)fprintf(p->to, "%s%s%s", n->before, n->declared->name, n->after);
	if (n->term != NULL) {
		(void)fputs(" = ", p->to);
		text_put(p->to, n->term);
	}
	(void)fputs(";\n", p->to);
}

static void
put_kind(struct printer *p, const struct node *n, const struct node *next, unsigned depth)
{
	switch (n->kind) {
	case NODE_LOOP:
		put_loop(p, n, next, depth);
		return;
	case NODE_IF:
		put_if(p, n, depth);
		return;
	case NODE_BLOCK:
		put_tabs(p, depth);
		(void)fputs("{\n", p->to);
		put_block(p, n, depth + 1);
		put_tabs(p, depth);
		(void)fputs("}\n", p->to);
		return;
	case NODE_DECLARATION:
		put_declaration(p, n, depth);
		return;
	case NODE_OPAQUE:
		put_tabs(p, depth);
		(void)fprintf(p->to, "%s\n", n->text);
		return;
	case NODE_STATEMENT:
		put_tabs(p, depth);
		text_put(p->to, n->term);
		(void)fputs(";\n", p->to);
	}
}

static void
put_node(struct printer *p, const struct node *n, const struct node *next, unsigned depth)
{
	if (n->comment != NULL) {
		put_tabs(p, depth);
		(void)fprintf(p->to, "%s\n", n->comment);
	}
	put_kind(p, n, next, depth);
}

char *
print_nodes(struct arena *a, struct names *names, const struct node *block, unsigned depth,
    print_is_free_fn *is_free, void *arg)
{
	char		*text = NULL;
	size_t		 bytes = 0;
	struct printer	 p = { .arena = a, .names = names, .is_free = is_free,
			    .is_free_arg = arg };

	p.to = text_open(&text, &bytes);
	put_kids(&p, block->kids, block->nkids, depth, true);
	return text_close(a, p.to, &text, &bytes);
}
