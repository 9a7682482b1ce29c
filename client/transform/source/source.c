/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/transform/source/source_parts.h"
#include "proto/base/name.h"

enum { MAX_SOURCE_BYTES = 1 << 20, MAX_OPTIONS = 600, MAX_UNSAVED = 1 + 2 * 64 };

/* ---- small things ---- */

static enum CXChildVisitResult
keep_child(CXCursor c, CXCursor parent, CXClientData data)
{
	struct cursors	*to = data;

	(void)parent;
	to->at[to->n++] = c;
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult
count_child(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)c;
	(void)parent;
	++*(size_t *)data;
	return CXChildVisit_Continue;
}

struct cursors
source_children(struct reader *r, CXCursor c)
{
	struct cursors	kids = { NULL, 0 };
	size_t		n = 0;

	(void)clang_visitChildren(c, count_child, &n);
	kids.at = arena_take(r->source->arena, n * sizeof *kids.at);
	(void)clang_visitChildren(c, keep_child, &kids);
	return kids;
}

struct place
source_place(CXCursor c)
{
	struct place	p;

	clang_getExpansionLocation(clang_getCursorLocation(c), NULL, &p.line, &p.column,
	    &p.offset);
	if (clang_getCursorKind(c) == CXCursor_VarDecl || clang_getCursorKind(c) ==
	    CXCursor_ParmDecl)
		return p;
	clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(c)), NULL, &p.line,
	    &p.column, &p.offset);
	return p;
}

unsigned
source_end(CXCursor c)
{
	unsigned	offset;

	clang_getExpansionLocation(clang_getRangeEnd(clang_getCursorExtent(c)), NULL, NULL, NULL,
	    &offset);
	return offset;
}

const char *
source_text(struct reader *r, unsigned from, unsigned to)
{
	const struct source	*s = r->source;

	if (from > to || to > s->bytes)
		return "";
	return arena_text(s->arena, s->text + from, to - from);
}

const char *
source_string(struct reader *r, CXString string)
{
	const char	*text = clang_getCString(string), *copy;

	copy = arena_text(r->source->arena, text != NULL ? text : "",
	    text != NULL ? strlen(text) : 0);
	clang_disposeString(string);
	return copy;
}

void
source_add_problem(struct reader *r, struct place at, const char *fmt, ...)
{
	struct source	*s = r->source;
	char		 text[256];
	va_list		 ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	s->problems = arena_grow(s->arena, s->problems, s->nproblems, sizeof *s->problems);
	s->problems[s->nproblems++] = (struct problem){ at,
	    arena_text(s->arena, text, strlen(text)) };
}

const struct problem *
source_problem(const struct source *s, unsigned from, unsigned to)
{
	for (size_t i = 0; i < s->nproblems; i++)
		if (s->problems[i].at.offset >= from && s->problems[i].at.offset < to)
			return &s->problems[i];
	return NULL;
}

enum status
source_refuse(const struct source *s, struct place at, struct fault *why, const char *fmt, ...)
{
	enum status	st;
	va_list		ap;

	va_start(ap, fmt);
	st = fault_in_file(why, s->path, at.line, at.column, fmt, ap);
	va_end(ap);
	return st;
}

/* ---- the file ---- */

static enum status
read_text(struct source *s, struct fault *why)
{
	FILE	*f = fopen(s->path, "r");
	char	*text;

	if (f == NULL)
		return fault_at(why, ST_NOT_FOUND, s->path, "%m");
	text = arena_take(s->arena, MAX_SOURCE_BYTES + 2);
	s->bytes = fread(text, 1, MAX_SOURCE_BYTES + 1, f);
	(void)fclose(f);
	s->text = text;
	if (s->bytes > MAX_SOURCE_BYTES)
		return fault_at(why, ST_BAD_SPEC, s->path, "is longer than %d bytes",
		    MAX_SOURCE_BYTES);
	if (s->bytes == 0)
		return fault_at(why, ST_BAD_SPEC, s->path, "is empty");
	if (memchr(text, '\0', s->bytes) == NULL)
		return ST_OK;
	(void)fault_at(why, ST_BAD_SPEC, s->path, "holds a byte of value 0 at offset %zu",
	    (size_t)((char *)memchr(text, '\0', s->bytes) - text));
	fault_hint(why, "a source is text in UTF-8, not UTF-16 and no object file");
	return ST_BAD_SPEC;
}

/*
 * No folder can be there: names in angle brackets find files of the caller in it, and no others.
 */
#define OWN_FILES	"/dev/null/"

static enum status
report_errors(struct reader *r, CXTranslationUnit unit, struct fault *why)
{
	for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
		CXDiagnostic	d = clang_getDiagnostic(unit, i);
		bool		is_error = clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
		struct place	p = { 0, 0, 0 };
		const char	*text = source_string(r, clang_getDiagnosticSpelling(d));
		struct source	at = *r->source;
		CXFile		file = NULL;

		clang_getExpansionLocation(clang_getDiagnosticLocation(d), &file, &p.line,
		    &p.column, &p.offset);
		if (file != NULL)
			at.path = source_string(r, clang_getFileName(file));
		if (strncmp(at.path, OWN_FILES, sizeof OWN_FILES - 1) == 0)
			at.path += sizeof OWN_FILES - 1;
		clang_disposeDiagnostic(d);
		if (is_error) {
			(void)source_refuse(&at, p, why, "%s", text);
			fault_hint(why, "clang reads the source as C11; give macros with -D");
			return ST_BAD_SPEC;
		}
	}
	return ST_OK;
}

/* ---- the routine ---- */

struct search {
	const char	*wanted;	/* NULL: any with a loop */
	CXCursor	 found;
	unsigned	 n;
	char		 names[256];
};

static enum CXChildVisitResult
has_loop(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_ForStmt)
		return CXChildVisit_Recurse;
	*(bool *)data = true;
	return CXChildVisit_Break;
}

static enum CXChildVisitResult
look_for_routine(CXCursor c, CXCursor parent, CXClientData data)
{
	struct search	*s = data;
	CXString	 name;
	bool		 fits = false;

	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c) ||
	    clang_Location_isFromMainFile(clang_getCursorLocation(c)) == 0)
		return CXChildVisit_Continue;
	name = clang_getCursorSpelling(c);
	if (s->wanted != NULL)
		fits = strcmp(s->wanted, clang_getCString(name)) == 0;
	else
		(void)clang_visitChildren(c, has_loop, &fits);
	if (fits) {
		s->found = c;
		s->n++;
		(void)snprintf(s->names + strlen(s->names), sizeof s->names - strlen(s->names),
		    "%s%s", s->n > 1 ? ", " : "", clang_getCString(name));
	}
	clang_disposeString(name);
	return CXChildVisit_Continue;
}

static enum status
find_routine(struct reader *r, CXTranslationUnit unit, const char *wanted, CXCursor *out,
    struct fault *why)
{
	struct search	s = { .wanted = wanted };

	(void)clang_visitChildren(clang_getTranslationUnitCursor(unit), look_for_routine, &s);
	*out = s.found;
	if (s.n == 1)
		return ST_OK;
	if (s.n == 0 && wanted != NULL)
		return fault_at(why, ST_BAD_SPEC, r->source->path,
		    "has no routine with the name %s", wanted);
	if (s.n == 0)
		return fault_at(why, ST_BAD_SPEC, r->source->path,
		    "has no routine with a for loop");
	(void)fault_at(why, ST_BAD_SPEC, r->source->path, "has several routines with loops: %s",
	    s.names);
	fault_hint(why, "choose one: --routine NAME");
	return ST_BAD_SPEC;
}

static enum status
read_routine(struct reader *r, CXCursor routine, struct fault *why)
{
	struct source	*s = r->source;
	struct cursors	 kids = source_children(r, routine);

	s->routine = source_string(r, clang_getCursorSpelling(routine));
	s->header = source_place(routine);
	for (size_t i = 0; i < kids.n; i++) {
		if (clang_getCursorKind(kids.at[i]) == CXCursor_ParmDecl)
			(void)source_symbol(r, kids.at[i]);
		if (clang_getCursorKind(kids.at[i]) == CXCursor_CompoundStmt)
			s->body = source_block(r, kids.at[i]);
	}
	return s->body != NULL ? ST_OK :
	    fault_at(why, ST_BAD_SPEC, s->path, "%s has no body", s->routine);
}

/* The source and its own files, from memory: libclang opens none of them. */
static unsigned
put_files(struct source *s, const struct source_request *q, const char *folder,
    struct CXUnsavedFile *out)
{
	const char	*const folders[] = { folder, OWN_FILES };
	const char	*text;
	unsigned	 n = 0;

	out[n++] = (struct CXUnsavedFile){ q->path, s->text, s->bytes };
	for (size_t i = 0; i < 2 * q->files.n && n < MAX_UNSAVED; i++) {
		text = q->files.at[i / 2].text;
		out[n++] = (struct CXUnsavedFile){ arena_format(s->arena, "%s%s", folders[i % 2],
		    q->files.at[i / 2].name), text, strlen(text) };
	}
	return n;
}

static enum status
read_unit(struct reader *r, CXIndex index, const struct source_request *q, struct fault *why)
{
	const char		*options[MAX_OPTIONS] = { "-std=gnu11", "-x", "c" };
	const char		*slash = strrchr(q->path, '/'), *folder;
	int			 n = 3;
	struct CXUnsavedFile	 files[MAX_UNSAVED];
	CXTranslationUnit	 unit = NULL;
	CXCursor		 routine;
	enum status		 st;

	folder = slash == NULL ? "./" : arena_text(r->source->arena, q->path,
	    (size_t)(slash - q->path) + 1);
	if (q->files.n > 0) {
		options[n++] = "-iquote";
		options[n++] = folder;
		options[n++] = "-I" OWN_FILES;
	}
	for (size_t i = 0; q->defines != NULL && q->defines[i] != NULL && n < MAX_OPTIONS; i++)
		options[n++] = q->defines[i];
	if (clang_parseTranslationUnit2(index, q->path, options, n, files, put_files(r->source, q,
	    folder, files), CXTranslationUnit_None, &unit) != CXError_Success)
		return fault_at(why, ST_BAD_SPEC, q->path, "libclang cannot read this file");
	if ((st = report_errors(r, unit, why)) == ST_OK &&
	    (st = find_routine(r, unit, q->routine, &routine, why)) == ST_OK)
		st = read_routine(r, routine, why);
	clang_disposeTranslationUnit(unit);
	return st;
}

bool
source_mentions(const char *text, const char *name)
{
	size_t	n;

	for (; *text != '\0'; text += n > 0 ? n : 1)
		if ((n = name_length(text)) == strlen(name) && strncmp(text, name, n) == 0)
			return true;
	return false;
}

/* ---- values that stay ---- */

static bool
is_other_loop(void *arg, struct node *n)
{
	return n->kind != NODE_LOOP || n->var != arg;
}

static bool
stays(void *arg, struct term *t)
{
	struct source	*s = arg;

	if (t->kind != TERM_NAME || t->symbol->kind == SYMBOL_FUNCTION)
		return !term_is_assignment(t);
	return t->symbol->kind == SYMBOL_GLOBAL ? !t->symbol->is_integer :
	    !node_visit(s->body, is_other_loop, t->symbol) ||
	    !node_assigns(s->body, t->symbol);
}

static bool
notes_text(void *arg, struct node *n)
{
	return n->kind != NODE_OPAQUE || n->nkids > 0 || !source_mentions(n->text, arg);
}

/*
 * A local stands for its first value only while neither changes: it is not assigned again, nor is
 * anything in that value but variables of loops, within which it then stands.
 */
static void
forget_values(struct source *s)
{
	for (size_t i = 0; i < s->nsymbols; i++) {
		struct symbol	*of = s->symbols[i];

		if (of->init != NULL &&
		    (node_assigns(s->body, of) || !term_visit(of->init, stays, s) ||
		    !node_visit(s->body, notes_text, (void *)(uintptr_t)of->name)))
			of->init = NULL;
	}
}

/* ---- values that are set once ---- */

struct settings {
	const struct symbol	*symbol;
	size_t			 n;
};

static bool
count_setting(void *arg, struct term *t)
{
	struct settings	*s = arg;

	s->n += term_is_assignment(t) && t->a[0]->kind == TERM_NAME && t->a[0]->symbol == s->symbol;
	return true;
}

/* A local that one statement of the routine's own block sets stands for that value, too. */
static void
find_values(struct source *s)
{
	for (size_t i = 0; i < s->body->nkids; i++) {
		struct node	*n = s->body->kids[i];
		struct settings	 all = { NULL, 0 };

		if (n->kind != NODE_STATEMENT || !term_is(n->term, TERM_BINARY, "=") ||
		    n->term->a[0]->kind != TERM_NAME)
			continue;
		all.symbol = n->term->a[0]->symbol;
		if (!all.symbol->is_integer || all.symbol->init != NULL ||
		    (all.symbol->kind != SYMBOL_LOCAL && all.symbol->kind != SYMBOL_STATIC))
			continue;
		(void)node_visit_terms(s->body, count_setting, &all);
		if (all.n == 1 && node_visit(s->body, is_other_loop,
		    (void *)(uintptr_t)all.symbol) && term_visit(n->term->a[1], stays, s) &&
		    node_visit(s->body, notes_text, (void *)(uintptr_t)all.symbol->name))
			n->term->a[0]->symbol->init = n->term->a[1];
	}
}

enum status
source_read(struct source *s, struct arena *a, const struct source_request *q,
    struct fault *why)
{
	struct reader	r = { .source = s };
	CXIndex		index;
	enum status	st;

	*s = (struct source){ .arena = a, .path = q->path };
	if ((st = read_text(s, why)) == ST_OK)
		st = source_check_includes(s->path, s->text, &q->files, why);
	for (size_t i = 0; i < q->files.n && st == ST_OK; i++)
		st = source_check_includes(q->files.at[i].name, q->files.at[i].text, &q->files,
		    why);
	if (st != ST_OK)
		return st;
	index = clang_createIndex(0, 0);
	if ((st = read_unit(&r, index, q, why)) == ST_OK) {
		forget_values(s);
		find_values(s);
	}
	clang_disposeIndex(index);
	return st;
}
