/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/print.h"
#include "client/transform/print_parts.h"
#include "proto/base/name.h"
#include "proto/base/status.h"

/* ---- names ---- */

struct names {
	struct arena	 *arena;
	const char	**taken;
	size_t		  n;
};

static bool
is_taken(const struct names *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->taken[i], name) == 0)
			return true;
	return false;
}

static void
take_name(struct names *s, const char *name)
{
	if (is_taken(s, name))
		return;
	s->taken = arena_grow(s->arena, s->taken, s->n, sizeof *s->taken);
	s->taken[s->n++] = name;
}

struct names *
names_new(struct arena *a, const char *source)
{
	struct names	*s = arena_take(a, sizeof *s);
	size_t		 bytes;

	s->arena = a;
	for (const char *at = source; *at != '\0'; at += bytes > 0 ? bytes : 1)
		if ((bytes = name_length(at)) > 0)
			take_name(s, arena_text(a, at, bytes));
	return s;
}

const char *
names_fresh(struct names *s, const char *wanted)
{
	const char	*name = wanted;

	for (unsigned i = 2; is_taken(s, name); i++)
		name = arena_format(s->arena, "%s%u", wanted, i);
	take_name(s, name);
	return name;
}

/* ---- nodes ---- */

struct printer {
	struct arena	*arena;
	struct names	*names;
	FILE		*to;
	const char	*rest_end;	/* the smaller end of the unrolled loop before; NULL: as it
					 * stands */
};

FILE *
print_open(char **text, size_t *bytes)
{
	FILE	*to = open_memstream(text, bytes);

	if (to == NULL)
		exit(status_exit_code(ST_NOMEM));
	return to;
}

char *
print_close(struct arena *a, FILE *to, char **text, size_t *bytes)
{
	char	*copy;

	if (fclose(to) != 0)
		exit(status_exit_code(ST_NOMEM));
	copy = arena_text(a, *text, *bytes);
	free(*text);
	return copy;
}

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
	print_put_term(p->to, t);
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
		print_put_term(p->to, t);
}

static void
put_first(const struct printer *p, const struct node *l, const char *begin, const char *end)
{
	if (!l->is_down) {
		put_named(p, begin, l->lo[0]);
	} else if (end != NULL) {
		(void)fprintf(p->to, "%s - 1", end);
	} else {
		print_put_term(p->to, term_plus(p->arena, l->hi[0], -1));
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

static void
put_block(struct printer *p, const struct node *block, unsigned depth)
{
	for (size_t i = 0; i < block->nkids; i++)
		put_node(p, block->kids[i], i + 1 < block->nkids ? block->kids[i + 1] : NULL,
		    depth);
}

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
	print_put_term(p->to, n->cond);
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
		print_put_term(p->to, n->term);
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
		print_put_term(p->to, n->term);
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
print_nodes(struct arena *a, struct names *names, struct node *const *nodes, size_t n,
    unsigned depth)
{
	char		*text = NULL;
	size_t		 bytes = 0;
	struct printer	 p = { .arena = a, .names = names };

	p.to = print_open(&text, &bytes);
	for (size_t i = 0; i < n; i++)
		put_node(&p, nodes[i], i + 1 < n ? nodes[i + 1] : NULL, depth);
	return print_close(a, p.to, &text, &bytes);
}
