/* SPDX-License-Identifier: Apache-2.0 */
#include "client/transform/source/source_parts.h"

static bool
is_integer_type(CXType t)
{
	switch (t.kind) {
	case CXType_Char_S: case CXType_Char_U: case CXType_SChar: case CXType_UChar:
	case CXType_Short: case CXType_UShort: case CXType_Int: case CXType_UInt:
	case CXType_Long: case CXType_ULong: case CXType_LongLong: case CXType_ULongLong:
		return true;
	default:
		return false;
	}
}

static bool
is_unsigned_type(CXType t)
{
	return t.kind == CXType_UChar || t.kind == CXType_Char_U || t.kind == CXType_UShort ||
	    t.kind == CXType_UInt || t.kind == CXType_ULong || t.kind == CXType_ULongLong;
}

static bool
is_array_type(CXType t)
{
	return t.kind == CXType_ConstantArray || t.kind == CXType_VariableArray ||
	    t.kind == CXType_IncompleteArray;
}

/* Subscripts down to an element: of a pointer, of the arrays it points to. */
static CXType
read_dims(struct symbol *s, CXType t)
{
	long long	n;

	while ((t.kind == CXType_Pointer || is_array_type(t)) && s->ndims < SYMBOL_MAX_DIMS) {
		n = t.kind == CXType_ConstantArray ? clang_getArraySize(t) : 0;
		n = t.kind == CXType_Pointer && s->ndims > 0 ? -1 : n;
		s->dims[s->ndims++] = n;
		t = t.kind == CXType_Pointer ? clang_getPointeeType(t) :
		    clang_getArrayElementType(t);
		t = clang_getCanonicalType(t);
	}
	return t;
}

static void
read_type(struct reader *r, struct symbol *s, CXType spelt)
{
	CXType		t = clang_getCanonicalType(spelt), element;
	long long	bytes;

	s->is_pointer = t.kind == CXType_Pointer ||
	    (is_array_type(t) && s->kind == SYMBOL_ARGUMENT);
	s->is_restrict = clang_isRestrictQualifiedType(t) != 0;
	s->is_integer = is_integer_type(t);
	s->is_unsigned = is_unsigned_type(t);
	element = read_dims(s, t);
	s->is_volatile = clang_isVolatileQualifiedType(element) != 0;
	s->is_record = element.kind == CXType_Record;
	bytes = clang_Type_getSizeOf(element);
	s->element_bytes = bytes > 0 && bytes < 1 << 20 ? (unsigned)bytes : 0;
	s->element = source_string(r, clang_getTypeSpelling(clang_getUnqualifiedType(element)));
	s->type = source_string(r, clang_getTypeSpelling(clang_getUnqualifiedType(spelt)));
}

static enum symbol_kind
kind_of(CXCursor c)
{
	enum CXCursorKind	up;

	if (clang_getCursorKind(c) == CXCursor_FunctionDecl)
		return SYMBOL_FUNCTION;
	if (clang_getCursorKind(c) == CXCursor_ParmDecl)
		return SYMBOL_ARGUMENT;
	up = clang_getCursorKind(clang_getCursorSemanticParent(c));
	if (up != CXCursor_FunctionDecl)
		return SYMBOL_GLOBAL;
	return clang_Cursor_getStorageClass(c) == CX_SC_Static ? SYMBOL_STATIC :
	    clang_Cursor_getStorageClass(c) == CX_SC_Extern ? SYMBOL_GLOBAL : SYMBOL_LOCAL;
}

/* "double a[restrict n]": the type that libclang gives has lost it. */
static bool
is_restrict_in_brackets(struct reader *r, const struct symbol *s, CXCursor declaration)
{
	const char	*text = source_text(r, s->at.offset, source_end(declaration));

	return source_mentions(text, "restrict") || source_mentions(text, "__restrict") ||
	    source_mentions(text, "__restrict__");
}

struct symbol *
source_symbol(struct reader *r, CXCursor declaration)
{
	struct source	*to = r->source;
	struct symbol	*s;

	for (size_t i = 0; i < r->ndeclared; i++)
		if (clang_equalCursors(r->declared[i].cursor, declaration))
			return r->declared[i].symbol;
	s = arena_take(to->arena, sizeof *s);
	s->name = source_string(r, clang_getCursorSpelling(declaration));
	s->kind = kind_of(declaration);
	s->at = source_place(declaration);
	if (s->kind != SYMBOL_FUNCTION)
		read_type(r, s, clang_getCursorType(declaration));
	if (s->kind == SYMBOL_ARGUMENT && s->is_pointer)
		s->is_restrict = s->is_restrict || is_restrict_in_brackets(r, s, declaration);
	r->declared = arena_grow(to->arena, r->declared, r->ndeclared, sizeof *r->declared);
	r->declared[r->ndeclared++] = (struct declared){ declaration, s };
	to->symbols = arena_grow(to->arena, to->symbols, to->nsymbols, sizeof *to->symbols);
	to->symbols[to->nsymbols++] = s;
	return s;
}
