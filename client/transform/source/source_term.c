/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/transform/source/source_parts.h"

static struct term *
new_term(struct reader *r, CXCursor c, enum term_kind kind, size_t n)
{
	struct term	*t = term_new(r->source->arena, kind, n);
	CXType		 type = clang_getCanonicalType(clang_getCursorType(c));

	t->at = source_place(c);
	t->is_int = type.kind >= CXType_Char_U && type.kind <= CXType_LongLong;
	t->is_unsigned = t->is_int && type.kind <= CXType_ULongLong;
	return t;
}

static struct term *
opaque(struct reader *r, CXCursor c)
{
	struct term	*t = new_term(r, c, TERM_OPAQUE, 0);

	t->text = source_text(r, t->at.offset, source_end(c));
	return t;
}

static const char *
number_text(struct reader *r, CXCursor c)
{
	const char	*text = source_text(r, source_place(c).offset, source_end(c));

	return isdigit((unsigned char)text[0]) || text[0] == '.' ? text : NULL;
}

static struct term *
literal(struct reader *r, CXCursor c)
{
	bool		 is_int = clang_getCursorKind(c) == CXCursor_IntegerLiteral;
	struct term	*t = new_term(r, c, is_int ? TERM_INT : TERM_TEXT, 0);
	CXEvalResult	 e = clang_Cursor_Evaluate(c);
	char		 text[64];

	t->text = number_text(r, c);
	if (is_int && e != NULL && clang_EvalResult_getKind(e) == CXEval_Int) {
		t->value = clang_EvalResult_getAsLongLong(e);
	} else if (is_int) {
		t->kind = TERM_OPAQUE;
	} else if (t->text == NULL && e != NULL && clang_EvalResult_getKind(e) == CXEval_Float) {
		(void)snprintf(text, sizeof text, "%.17g", clang_EvalResult_getAsDouble(e));
		t->text = arena_format(r->source->arena, "%s%s%s", text,
		    strpbrk(text, ".en") == NULL ? ".0" : "",
		    clang_getCursorType(c).kind == CXType_Float ? "f" : "");
	}
	if (e != NULL)
		clang_EvalResult_dispose(e);
	if (t->text == NULL && t->kind != TERM_INT)
		return opaque(r, c);
	return t;
}

static struct term *
with_parts(struct reader *r, CXCursor c, enum term_kind kind, const struct cursors *kids)
{
	struct term	*t = new_term(r, c, kind, kids->n);

	for (size_t i = 0; i < kids->n; i++)
		t->a[i] = source_term(r, kids->at[i]);
	return t;
}

/* *(a + i) → a[i]; *a → a[0] if a is no pointer argument to one number */
static struct term *
dereference(struct reader *r, struct term *t)
{
	struct arena	*a = r->source->arena;
	struct term	*of = t->a[0], *index;

	if (!term_is(of, TERM_BINARY, "+") || of->is_int)
		return t;
	index = of->a[1]->is_int ? term_index(a, of->a[0], of->a[1]) :
	    term_index(a, of->a[1], of->a[0]);
	index->is_int = t->is_int;
	index->is_unsigned = t->is_unsigned;
	return index;
}

static struct term *
unary(struct reader *r, CXCursor c, const struct cursors *kids)
{
	enum CXUnaryOperatorKind	 kind = clang_getCursorUnaryOperatorKind(c);
	struct term			*t;

	t = with_parts(r, c, kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec ?
	    TERM_POSTFIX : TERM_UNARY, kids);
	t->op = source_string(r, clang_getUnaryOperatorKindSpelling(kind));
	if (t->a[0]->kind == TERM_INT && kind == CXUnaryOperator_Minus && t->is_int)
		return term_int(r->source->arena, -t->a[0]->value);
	return kind == CXUnaryOperator_Deref ? dereference(r, t) : t;
}

static struct term *
binary(struct reader *r, CXCursor c, const struct cursors *kids)
{
	struct term	*t = with_parts(r, c, TERM_BINARY, kids);

	t->op = source_string(r, clang_getBinaryOperatorKindSpelling(
	    clang_getCursorBinaryOperatorKind(c)));
	return t;
}

static struct term *
name(struct reader *r, CXCursor c)
{
	CXCursor		 of = clang_getCursorReferenced(c);
	enum CXCursorKind	 kind = clang_getCursorKind(of);
	struct term		*t;

	if (kind == CXCursor_EnumConstantDecl) {
		t = new_term(r, c, TERM_INT, 0);
		t->value = clang_getEnumConstantDeclValue(of);
		t->text = source_string(r, clang_getCursorSpelling(c));
		return t;
	}
	if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl && kind != CXCursor_FunctionDecl)
		return opaque(r, c);
	t = new_term(r, c, TERM_NAME, 0);
	t->symbol = source_symbol(r, of);
	return t;
}

static struct term *
member(struct reader *r, CXCursor c, const struct cursors *kids)
{
	struct cursors	 first = { kids->at, 1 };
	struct term	*t = with_parts(r, c, TERM_MEMBER, &first);
	CXType		 of = clang_getCanonicalType(clang_getCursorType(kids->at[0]));

	t->text = source_string(r, clang_getCursorSpelling(c));
	t->op = of.kind == CXType_Pointer ? "->" : ".";
	return t;
}

static struct term *
cast(struct reader *r, CXCursor c, const struct cursors *kids)
{
	struct cursors	 last = { kids->at + kids->n - 1, 1 };
	struct term	*t = with_parts(r, c, TERM_CAST, &last);

	t->text = source_string(r, clang_getTypeSpelling(clang_getCursorType(c)));
	return t;
}

/* sizeof and its like have a value */
static struct term *
evaluated(struct reader *r, CXCursor c)
{
	struct term	*t = opaque(r, c);
	CXEvalResult	 e = clang_Cursor_Evaluate(c);

	if (e != NULL && clang_EvalResult_getKind(e) == CXEval_Int) {
		t->kind = TERM_INT;
		t->value = clang_EvalResult_getAsLongLong(e);
	}
	if (e != NULL)
		clang_EvalResult_dispose(e);
	return t;
}

static struct term *
of_kind(struct reader *r, CXCursor c, const struct cursors *kids)
{
	enum CXCursorKind	kind = clang_getCursorKind(c);

	if ((kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr) && kids->n == 1)
		return source_term(r, kids->at[0]);
	if (kind == CXCursor_ArraySubscriptExpr && kids->n == 2)
		return with_parts(r, c, TERM_INDEX, kids);
	if (kind == CXCursor_UnaryOperator && kids->n == 1)
		return unary(r, c, kids);
	if ((kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator) &&
	    kids->n == 2)
		return binary(r, c, kids);
	if (kind == CXCursor_ConditionalOperator && kids->n == 3)
		return with_parts(r, c, TERM_COND, kids);
	if (kind == CXCursor_CallExpr && kids->n >= 1)
		return with_parts(r, c, TERM_CALL, kids);
	if (kind == CXCursor_CStyleCastExpr && kids->n >= 1)
		return cast(r, c, kids);
	if (kind == CXCursor_MemberRefExpr && kids->n >= 1)
		return member(r, c, kids);
	return opaque(r, c);
}

struct term *
source_term(struct reader *r, CXCursor c)
{
	struct cursors	kids;

	switch (clang_getCursorKind(c)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
		return literal(r, c);
	case CXCursor_DeclRefExpr:
		return name(r, c);
	case CXCursor_UnaryExpr:
		return evaluated(r, c);
	default:
		kids = source_children(r, c);
		return of_kind(r, c, &kids);
	}
}
