/* SPDX-License-Identifier: Apache-2.0 */
/* Types of parameters and their structs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/derive/clang_parts.h"
#include "proto/spec/spec.h"

enum { MEMBER_BYTES = 128, MAX_INNER = 8 };

struct fields {
	struct record_made	*to;
	const char		*wrong;		/* NULL: nothing so far */
	const char		*outer;		/* "pos_", of an inner struct; "" */
	size_t			 offset;	/* of that one */
	unsigned		 depth;
};

static void
take_text(CXString s, char *to, size_t bytes)
{
	(void)snprintf(to, bytes, "%s", clang_getCString(s) != NULL ? clang_getCString(s) : "");
	clang_disposeString(s);
}

/* Without const, volatile and restrict: what prototype_parse knows. */
static void
type_text(CXType t, char *to, size_t bytes)
{
	take_text(clang_getTypeSpelling(clang_getUnqualifiedType(clang_getCanonicalType(t))), to,
	    bytes);
}

/* ---- structs ---- */

static enum CXVisitorResult	add_field(CXCursor, CXClientData);

static const char *
add_type(struct fields *f, const char *name, CXType t, size_t offset)
{
	char		text[MEMBER_BYTES];
	long long	count = 1;

	t = clang_getCanonicalType(t);
	while (t.kind == CXType_ConstantArray) {
		if (clang_getArraySize(t) < 1 || clang_getArraySize(t) > SPEC_MAX_MEMBER_COUNT ||
		    (count *= clang_getArraySize(t)) > SPEC_MAX_MEMBER_COUNT)
			return "has a length that a spec cannot have";
		t = clang_getCanonicalType(clang_getArrayElementType(t));
	}
	if (t.kind == CXType_Record && count == 1) {
		struct fields	inner = { f->to, NULL, name, offset, f->depth + 1 };

		if (inner.depth > MAX_INNER ||
		    clang_getCursorKind(clang_getTypeDeclaration(t)) != CXCursor_StructDecl)
			return "is no number and no array of numbers";
		(void)clang_Type_visitFields(t, add_field, &inner);
		return inner.wrong;
	}
	type_text(t, text, sizeof text);
	return record_add(f->to, name, text, (size_t)count, offset);
}

static enum CXVisitorResult
add_field(CXCursor c, CXClientData data)
{
	struct fields	*f = data;
	char		 own[MEMBER_BYTES / 2], name[2 * MEMBER_BYTES];
	const long long	 bits = clang_Cursor_getOffsetOfField(c);

	take_text(clang_getCursorSpelling(c), own, sizeof own);
	(void)snprintf(name, sizeof name, "%s%s%s", f->outer, f->outer[0] != '\0' ? "_" : "", own);
	if (clang_Cursor_isBitField(c) != 0 || bits < 0 || own[0] == '\0')
		f->wrong = "has a member that is no number";
	else
		f->wrong = add_type(f, name, clang_getCursorType(c), f->offset + (size_t)bits / 8);
	return f->wrong != NULL ? CXVisit_Break : CXVisit_Continue;
}

/* "struct point", also of a typedef. */
static const char *
read_struct(CXType t, struct derived_param *p)
{
	struct fields	f = { .to = &p->record, .outer = "" };
	char		text[MEMBER_BYTES];
	long long	bytes = clang_Type_getSizeOf(t);

	if (clang_getCursorKind(clang_getTypeDeclaration(t)) != CXCursor_StructDecl)
		return "has a type that a spec cannot have";
	type_text(t, text, sizeof text);
	if (strchr(text, '(') != NULL)
		return "has a struct without a name";
	(void)snprintf(p->type, sizeof p->type, "%s%.100s",
	    strncmp(text, "struct ", strlen("struct ")) == 0 ? "" : "struct ", text);
	(void)clang_Type_visitFields(t, add_field, &f);
	if (f.wrong == NULL)
		f.wrong = bytes < 0 ? "is a struct without its members" :
		    record_check(&p->record, (size_t)bytes);
	return f.wrong != NULL ? "is a struct that a spec cannot describe" : NULL;
}

/* ---- pointers ---- */

static bool
is_array(CXType t)
{
	return t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray ||
	    t.kind == CXType_VariableArray;
}

/* Of a variable length clang_read_lengths knows more. */
static void
add_length(struct derived_param *p, CXType array)
{
	if (p->nlengths < DERIVED_MAX_DIMS)
		p->lengths[p->nlengths++] = array.kind == CXType_ConstantArray ?
		    poly_number(clang_getArraySize(array)) : poly_unknown();
}

void
clang_read_lengths(struct clang_reader *r, size_t param)
{
	struct derived_param	*p = &r->to->params[param];
	size_t			 n, expressions = 0;
	CXCursor		*kids = clang_children(r->params[param], &n);

	/* the innermost length comes first, and the first dimension's, which is no length, last */
	for (size_t i = 0; i < n; i++)
		if (clang_isExpression(clang_getCursorKind(kids[i])))
			kids[expressions++] = kids[i];
	for (size_t k = 0; expressions >= p->nlengths && k < p->nlengths; k++)
		if (!p->lengths[k].is_known)
			p->lengths[k] = clang_extreme(r, kids[p->nlengths - 1 - k], true);
	free(kids);
}

const char *
clang_read_type(CXType t, struct derived_param *p)
{
	bool		has_arrays = false;
	enum ctype	known;

	t = clang_getCanonicalType(t);
	while (t.kind == CXType_Pointer || is_array(t)) {
		bool	is_pointer = t.kind == CXType_Pointer;

		if (p->is_rows || (is_pointer && has_arrays))
			return "has a type that a spec cannot have";
		has_arrays |= !is_pointer && p->is_pointer;	/* the outermost is a pointer */
		if (has_arrays)
			add_length(p, t);
		p->is_rows = is_pointer && p->is_pointer;
		p->is_pointer = true;
		t = clang_getCanonicalType(is_pointer ? clang_getPointeeType(t) :
		    clang_getArrayElementType(t));
		p->is_const = clang_isConstQualifiedType(t);
	}
	if (t.kind == CXType_Record && p->is_pointer)
		return p->is_rows ? "points to rows of structs" : read_struct(t, p);
	type_text(t, p->type, sizeof p->type);
	if (p->is_rows && strcmp(p->type, "void") == 0)
		return "has a type that a spec cannot have";
	return ctype_parse(&known, p->type, NULL) == ST_OK ? NULL :
	    "has a type that a spec cannot have";
}
