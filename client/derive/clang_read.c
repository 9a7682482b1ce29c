/* SPDX-License-Identifier: Apache-2.0 */
/* A routine of a C file, through libclang. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/derive/clang_parts.h"
#include "client/derive/includes.h"

struct search {
	const char	*routine;	/* NULL: any */
	CXCursor	 found;
	unsigned	 n;		/* definitions that fit */
	char		 names[160];	/* of all definitions */
};

static void
take_text(CXString s, char *to, size_t bytes)
{
	(void)snprintf(to, bytes, "%s", clang_getCString(s) != NULL ? clang_getCString(s) : "");
	clang_disposeString(s);
}

static enum CXChildVisitResult
look_at(CXCursor c, CXCursor parent, CXClientData data)
{
	struct search	*s = data;
	char		 name[PROTOTYPE_NAME_MAX];
	size_t		 used = strlen(s->names);

	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c) ||
	    !clang_Location_isFromMainFile(clang_getCursorLocation(c)))
		return CXChildVisit_Continue;
	take_text(clang_getCursorSpelling(c), name, sizeof name);
	(void)snprintf(s->names + used, sizeof s->names - used, "%s%s", used > 0 ? ", " : "",
	    name);
	if (s->routine == NULL || strcmp(s->routine, name) == 0) {
		s->found = c;
		s->n++;
	}
	return CXChildVisit_Continue;
}

static enum status
find_routine(CXTranslationUnit unit, const char *path, const char *routine, CXCursor *found,
    struct fault *why)
{
	struct search	s = { .routine = routine };

	(void)clang_visitChildren(clang_getTranslationUnitCursor(unit), look_at, &s);
	*found = s.found;
	if (s.n == 1)
		return ST_OK;
	if (s.n == 0 && routine != NULL)
		(void)fault_set(why, ST_BAD_SPEC, "%s: defines no function \"%s\"", path,
		    routine);
	else
		(void)fault_set(why, ST_BAD_SPEC, "%s: defines %s", path,
		    s.n == 0 ? "no function" : "several functions");
	if (s.names[0] != '\0')
		fault_hint(why, "it defines %s%s", s.names, s.n > 1 ? "; use --routine" : "");
	return ST_BAD_SPEC;
}

/* ---- parameters ---- */

static enum status
refuse(CXCursor c, const char *path, const char *reason, const char *name, struct fault *why)
{
	unsigned	line, column;

	clang_getExpansionLocation(clang_getCursorLocation(c), NULL, &line, &column, NULL);
	(void)fault_set(why, ST_BAD_SPEC, "%s:%u:%u: %s %s", path, line, column, name, reason);
	fault_hint(why, "write a routine around it with numbers, pointers to them or to rows of "
	    "them, and structs of numbers");
	return ST_BAD_SPEC;
}

static enum status
read_param(struct derived *d, CXCursor c, struct derived_param *p, struct fault *why)
{
	const char	*wrong;
	unsigned	 line, column;

	take_text(clang_getCursorSpelling(c), p->name, sizeof p->name);
	clang_getExpansionLocation(clang_getCursorLocation(c), NULL, &line, &column, NULL);
	p->line = (int)line;
	p->column = (int)column;
	if (p->name[0] == '\0')
		return refuse(c, d->path, "has no name", "a parameter", why);
	if ((wrong = clang_read_type(clang_getCursorType(c), p)) != NULL)
		return refuse(c, d->path, wrong, p->name, why);
	return ST_OK;
}

static enum CXChildVisitResult
find_body(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_CompoundStmt)
		return CXChildVisit_Continue;
	*(CXCursor *)data = c;
	return CXChildVisit_Break;
}

static enum status
read_routine(struct derived *d, CXCursor routine, struct fault *why)
{
	struct clang_reader	*r = calloc(1, sizeof *r);
	int			 n = clang_Cursor_getNumArguments(routine);
	struct derived_param	 result = { .is_pointer = false };
	const char		*wrong;
	unsigned		 line, column;
	enum status		 st = ST_OK;

	if (r == NULL)
		return fault_set(why, ST_NOMEM, "routine");
	r->to = d;
	take_text(clang_getCursorSpelling(routine), d->name, sizeof d->name);
	clang_getExpansionLocation(clang_getCursorLocation(routine), NULL, &line, &column, NULL);
	d->line = (int)line;
	d->column = (int)column;
	wrong = clang_read_type(clang_getCursorResultType(routine), &result);
	(void)strcpy(d->result, result.type);
	record_release(&result.record);
	if (wrong != NULL || result.is_pointer)
		st = refuse(routine, d->path, "is of a type that a spec cannot have",
		    "the result", why);
	else if (n > PROTOTYPE_MAX_PARAMS)
		st = fault_set(why, ST_BAD_SPEC, "%s: %s has more than %d parameters", d->path,
		    d->name, PROTOTYPE_MAX_PARAMS);
	for (int i = 0; st == ST_OK && i < n; i++) {
		r->params[i] = clang_Cursor_getArgument(routine, (unsigned)i);
		st = read_param(d, r->params[i], &d->params[i], why);
		d->n = (size_t)i + 1;
	}
	if (st == ST_OK) {
		(void)clang_visitChildren(routine, find_body, &r->body);
		d->has_body = true;
		for (size_t i = 0; i < d->n; i++)
			clang_read_lengths(r, i);
		clang_walk(r);
		clang_count_flops(r);
	}
	free(r);
	return st;
}

/* ---- the file ---- */

/* The first error: what follows it cannot be trusted. */
static enum status
check_unit(CXTranslationUnit unit, const char *path, struct fault *why)
{
	unsigned	n = clang_getNumDiagnostics(unit);

	for (unsigned i = 0; i < n; i++) {
		CXDiagnostic	d = clang_getDiagnostic(unit, i);
		unsigned	line, column;
		char		text[512];

		if (clang_getDiagnosticSeverity(d) < CXDiagnostic_Error) {
			clang_disposeDiagnostic(d);
			continue;
		}
		clang_getExpansionLocation(clang_getDiagnosticLocation(d), NULL, &line, &column,
		    NULL);
		take_text(clang_getDiagnosticSpelling(d), text, sizeof text);
		clang_disposeDiagnostic(d);
		return fault_set(why, ST_BAD_SPEC, "%s:%u:%u: %s", path, line, column, text);
	}
	return ST_OK;
}

enum status
derive_source(struct derived *d, const char *path, const char *text, size_t bytes,
    const char *routine, struct fault *why)
{
	static const char *const	options[] = { "-std=gnu11", "-x", "c" };
	struct CXUnsavedFile		file = { path, text, bytes };
	CXTranslationUnit		unit = NULL;
	CXIndex				index;
	CXCursor			found;
	enum status			st;

	if ((st = includes_check(path, text, why)) != ST_OK)
		return st;
	index = clang_createIndex(0, 0);
	if (clang_parseTranslationUnit2(index, path, options, 3, &file, 1,
	    CXTranslationUnit_None, &unit) != CXError_Success)
		st = fault_set(why, ST_BAD_SPEC, "%s: libclang cannot read this file", path);
	else if ((st = check_unit(unit, path, why)) == ST_OK &&
	    (st = find_routine(unit, path, routine, &found, why)) == ST_OK)
		st = read_routine(d, found, why);
	if (unit != NULL)
		clang_disposeTranslationUnit(unit);
	clang_disposeIndex(index);
	return st;
}
