/* SPDX-License-Identifier: Apache-2.0 */
/* Statements → nodes.  A loop that counts evenly between two ends is one; others are opaque. */
#include <stdio.h>
#include <string.h>

#include "client/transform/source/source_parts.h"

static void	add_statement(struct reader *, struct node *block, CXCursor);

static struct node *
new_node(struct reader *r, enum node_kind kind, CXCursor c)
{
	struct node	*n = node_new(r->source->arena, kind, source_place(c));

	n->end = source_end(c);
	return n;
}

struct node *
source_block(struct reader *r, CXCursor c)
{
	struct node	*block = new_node(r, NODE_BLOCK, c);
	struct cursors	 kids;

	if (clang_getCursorKind(c) != CXCursor_CompoundStmt) {
		add_statement(r, block, c);
		return block;
	}
	kids = source_children(r, c);
	for (size_t i = 0; i < kids.n; i++)
		add_statement(r, block, kids.at[i]);
	return block;
}

/* ---- loops ---- */

/* The first value: int i = a, or i = a. */
static bool
read_first(struct reader *r, struct node *n, CXCursor c)
{
	struct cursors	 kids = source_children(r, c);
	struct term	*t;

	if (clang_getCursorKind(c) == CXCursor_DeclStmt) {
		if (kids.n != 1 || clang_getCursorKind(kids.at[0]) != CXCursor_VarDecl)
			return false;
		c = clang_Cursor_getVarDeclInitializer(kids.at[0]);
		if (clang_Cursor_isNull(c))
			return false;
		n->var = source_symbol(r, kids.at[0]);
		n->declares = true;
		t = source_term(r, c);
	} else {
		t = source_term(r, c);
		if (!term_is(t, TERM_BINARY, "=") || t->a[0]->kind != TERM_NAME)
			return false;
		n->var = t->a[0]->symbol;
		t = t->a[1];
	}
	n->lo = arena_take(r->source->arena, sizeof *n->lo);
	n->lo[0] = t;
	n->nlo = 1;
	return n->var->is_integer && n->var->element_bytes >= 4 && !n->var->is_volatile;
}

static int64_t
step_of(const struct node *n, const struct term *t)
{
	const struct term	*by;

	if ((t->kind == TERM_UNARY || t->kind == TERM_POSTFIX) && t->a[0]->kind == TERM_NAME &&
	    t->a[0]->symbol == n->var)
		return strcmp(t->op, "++") == 0 ? 1 : strcmp(t->op, "--") == 0 ? -1 : 0;
	if (t->kind != TERM_BINARY || t->a[0]->kind != TERM_NAME || t->a[0]->symbol != n->var)
		return 0;
	by = t->a[1];
	if (strcmp(t->op, "=") == 0 && (term_is(by, TERM_BINARY, "+") ||
	    term_is(by, TERM_BINARY, "-")) && by->a[0]->kind == TERM_NAME &&
	    by->a[0]->symbol == n->var && by->a[1]->kind == TERM_INT)
		return by->op[0] == '+' ? by->a[1]->value : -by->a[1]->value;
	if (strcmp(t->op, "=") == 0 && term_is(by, TERM_BINARY, "+") &&
	    by->a[1]->kind == TERM_NAME && by->a[1]->symbol == n->var &&
	    by->a[0]->kind == TERM_INT)
		return by->a[0]->value;
	if (by->kind != TERM_INT)
		return 0;
	return strcmp(t->op, "+=") == 0 ? by->value : strcmp(t->op, "-=") == 0 ? -by->value : 0;
}

static const char *
mirrored(const char *op)
{
	static const char *const	pairs[][2] = {
		{ "<", ">" }, { ">", "<" }, { "<=", ">=" }, { ">=", "<=" }, { "!=", "!=" },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (strcmp(pairs[i][0], op) == 0)
			return pairs[i][1];
	return "";
}

/* var < end and its like; one or several joined by && */
static bool
read_end(struct reader *r, struct node *n, struct term *t)
{
	struct arena	*a = r->source->arena;
	struct term	*end = t->n == 2 ? t->a[1] : NULL;
	const char	*op = t->op;
	bool		 down = n->step < 0;

	if (term_is(t, TERM_BINARY, "&&"))
		return read_end(r, n, t->a[0]) && read_end(r, n, t->a[1]);
	if (t->kind != TERM_BINARY || !t->a[0]->is_int || !t->a[1]->is_int)
		return false;
	if (t->a[1]->kind == TERM_NAME && t->a[1]->symbol == n->var) {
		end = t->a[0];
		op = mirrored(op);
	} else if (t->a[0]->kind != TERM_NAME || t->a[0]->symbol != n->var) {
		return false;
	}
	if (strcmp(op, "!=") == 0 && (n->step == 1 || n->step == -1))
		op = down ? ">" : "<";
	if (strcmp(op, down ? ">=" : "<=") == 0)
		end = down ? end : term_plus(a, end, 1);
	else if (strcmp(op, down ? ">" : "<") != 0)
		return false;
	else if (down)
		end = term_plus(a, end, 1);
	n->hi = arena_grow(a, n->hi, n->nhi, sizeof *n->hi);
	n->hi[n->nhi++] = end;
	return true;
}

/* Downwards the first value is the end, and the condition has the beginnings. */
static void
turn(struct reader *r, struct node *n)
{
	struct term	**first = n->lo;

	first[0] = term_plus(r->source->arena, first[0], 1);
	n->lo = n->hi;
	n->nlo = n->nhi;
	n->hi = first;
	n->nhi = 1;
	n->step = -n->step;
	n->is_down = true;
}

static struct node *
read_loop(struct reader *r, CXCursor c, const struct cursors *kids)
{
	struct node	*n = new_node(r, NODE_LOOP, c), *body;

	if (kids->n != 4 || !read_first(r, n, kids->at[0]))
		return NULL;
	n->step = step_of(n, source_term(r, kids->at[2]));
	if (n->step == 0 || n->step > 1 << 20 || n->step < -(1 << 20) ||
	    !read_end(r, n, source_term(r, kids->at[1])))
		return NULL;
	if (n->step < 0)
		turn(r, n);
	r->nloops++;
	body = source_block(r, kids->at[3]);
	r->nloops--;
	node_add(r->source->arena, n, body);
	return node_assigns(body, n->var) ? NULL : n;
}

/* ---- others ---- */

/* What is not understood keeps its text; blocks below it may hold nests of their own. */
static struct node *
opaque(struct reader *r, CXCursor c, const struct cursors *kids)
{
	struct node		*n = new_node(r, NODE_OPAQUE, c);
	enum CXCursorKind	 kind;

	n->text = source_text(r, n->at.offset, n->end);
	r->nloops++;
	for (size_t i = 0; i < kids->n; i++) {
		kind = clang_getCursorKind(kids->at[i]);
		if (kind == CXCursor_CompoundStmt || kind == CXCursor_ForStmt ||
		    kind == CXCursor_IfStmt)
			node_add(r->source->arena, n, source_block(r, kids->at[i]));
	}
	r->nloops--;
	return n;
}

static struct node *
read_if(struct reader *r, CXCursor c, const struct cursors *kids)
{
	struct node	*n = new_node(r, NODE_IF, c);

	n->cond = source_term(r, kids->at[0]);
	n->id = r->source->natoms++;
	for (size_t i = 1; i < kids->n; i++)
		node_add(r->source->arena, n, source_block(r, kids->at[i]));
	return n;
}

/* "double t[4]": the text around the name, so that it can have another one. */
static bool
read_declarator(struct reader *r, struct node *n, CXCursor var, CXCursor init)
{
	struct arena	*a = r->source->arena;
	CXType		 t = clang_getCursorType(var);
	unsigned	 from = source_place(var).offset + (unsigned)strlen(n->declared->name);
	unsigned	 to = clang_Cursor_isNull(init) ? source_end(var) :
			    source_place(init).offset;
	const char	*type, *after;
	char		*equals;

	while (clang_getArrayElementType(t).kind != CXType_Invalid)
		t = clang_getArrayElementType(t);
	type = source_string(r, clang_getTypeSpelling(t));
	if (strchr(type, '(') != NULL || from > to)
		return false;
	n->before = arena_format(a, "%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ");
	after = source_text(r, from, to);
	if ((equals = strchr(after, '=')) != NULL)
		*equals = '\0';
	n->after = after[0] == '[' ? after : "";
	return true;
}

static struct node *
read_variable(struct reader *r, CXCursor var)
{
	struct node	*n = new_node(r, NODE_DECLARATION, var);
	CXCursor	 init = clang_Cursor_getVarDeclInitializer(var);

	n->declared = source_symbol(r, var);
	n->id = r->source->natoms++;
	if (n->declared->kind == SYMBOL_STATIC && r->nloops == 0)
		return n;		/* stays as it is written */
	if (n->declared->kind != SYMBOL_LOCAL || !read_declarator(r, n, var, init))
		return NULL;
	if (clang_Cursor_isNull(init))
		return n;
	n->term = source_term(r, init);
	n->declared->init = n->term;
	return n->term->kind == TERM_OPAQUE || n->declared->ndims > 1 ? NULL : n;
}

static struct node *
read_declaration(struct reader *r, CXCursor c, const struct cursors *kids, struct node *block)
{
	struct node	*n;

	for (size_t i = 0; i < kids->n; i++) {
		if (clang_getCursorKind(kids->at[i]) != CXCursor_VarDecl ||
		    (n = read_variable(r, kids->at[i])) == NULL)
			return opaque(r, c, kids);
		if (i + 1 == kids->n)
			return n;
		node_add(r->source->arena, block, n);
	}
	return opaque(r, c, kids);
}

static struct node *
read_expression(struct reader *r, CXCursor c)
{
	struct node	*n = new_node(r, NODE_STATEMENT, c);

	n->term = source_term(r, c);
	n->id = r->source->natoms++;
	n->is_atom = true;
	return n->term->kind == TERM_OPAQUE ? NULL : n;
}

static struct node *
read_statement(struct reader *r, CXCursor c, struct node *block)
{
	enum CXCursorKind	 kind = clang_getCursorKind(c);
	struct cursors		 kids = source_children(r, c);
	struct node		*n = NULL;

	if (kind == CXCursor_CompoundStmt)
		return source_block(r, c);
	if (kind == CXCursor_DeclStmt)
		return read_declaration(r, c, &kids, block);
	if (kind == CXCursor_IfStmt && kids.n >= 2 && kids.n <= 3)
		return read_if(r, c, &kids);
	if (kind == CXCursor_ForStmt) {
		if ((n = read_loop(r, c, &kids)) == NULL)
			source_add_problem(r, source_place(c), "this loop is not of the form "
			    "for (i = first; i < end; i += constant), with i as it is in its body");
	} else if (clang_isExpression(kind)) {
		n = read_expression(r, c);
	} else if (kind != CXCursor_ReturnStmt) {
		source_add_problem(r, source_place(c), "this statement is no loop over a "
		    "range, no if and no assignment");
	}
	return n != NULL ? n : opaque(r, c, &kids);
}

static void
add_statement(struct reader *r, struct node *block, CXCursor c)
{
	if (clang_getCursorKind(c) != CXCursor_NullStmt)
		node_add(r->source->arena, block, read_statement(r, c, block));
}
