/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <expat.h>

#include "client/micro/read/file.h"
#include "client/micro/read/links.h"
#include "client/micro/read/nodes.h"
#include "client/micro/read/reader.h"

struct parse {
	struct reading	 reading;
	XML_Parser	 expat;			/* owned */
	struct open	 stack[READER_MAX_DEPTH];
	unsigned	 depth;
	char		 text[READER_MAX_TEXT + 1];	/* of the innermost node */
	size_t		 bytes;
	enum status	 st;
	struct fault	*why;
};

static struct place
place(const struct parse *p)
{
	return (struct place){ (unsigned)XML_GetCurrentLineNumber(p->expat),
	    (unsigned)XML_GetCurrentColumnNumber(p->expat) + 1 };
}

static void
stop(struct parse *p, enum status st)
{
	if (st == ST_OK)
		return;
	p->st = st;
	(void)XML_StopParser(p->expat, XML_FALSE);
}

#define REFUSE(p, ...) stop(p, micro_refuse((p)->reading.micro, place(p), (p)->why, __VA_ARGS__))

/* ---- beginnings ---- */

static void
unknown(struct parse *p, const char *name, const struct node *parent)
{
	const char	*names[NODES_MAX], *near;

	nodes_names(parent, names, NODES_MAX);
	if (parent == NULL)
		REFUSE(p, "the document is a <%.80s>, not a <description>", name);
	else
		REFUSE(p, "there is no node <%.80s> in <%s>", name, parent->name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(p->why, "did you mean <%s>?", near);
	else if (names[0] != NULL && parent != NULL)
		fault_hint(p->why, "assay micro --nodes lists all");
	else if (parent != NULL)
		fault_hint(p->why, "<%s> has no nodes in it", parent->name);
}

static bool
may_begin(struct parse *p, const char *name, const XML_Char **attributes)
{
	if (p->st != ST_OK)
		return false;
	if (p->depth == READER_MAX_DEPTH)
		REFUSE(p, "<%.80s> is nested deeper than %d", name, READER_MAX_DEPTH);
	else if (++p->reading.nnodes > READER_MAX_NODES)
		REFUSE(p, "the description has more than %d nodes", READER_MAX_NODES);
	else if (attributes[0] != NULL)
		REFUSE(p, "<%.80s> has an attribute, %.80s: there are none", name, attributes[0]);
	return p->st == ST_OK;
}

static void XMLCALL
begin(void *arg, const XML_Char *name, const XML_Char **attributes)
{
	struct parse		*p = arg;
	struct open		*parent = p->depth > 0 ? &p->stack[p->depth - 1] : NULL, *o;
	const struct node	*n;

	if (!may_begin(p, name, attributes))
		return;
	if ((n = nodes_find(name, parent != NULL ? parent->node : NULL)) == NULL) {
		unknown(p, name, parent != NULL ? parent->node : NULL);
		return;
	}
	if (parent != NULL && parent->seen[n - nodes_at(0)] && !n->is_many) {
		REFUSE(p, "<%s> has a second <%s>", parent->node->name, name);
		return;
	}
	if (parent != NULL)
		parent->seen[n - nodes_at(0)] = true;
	o = &p->stack[p->depth++];
	*o = (struct open){ .node = n, .parent = parent, .at = place(p),
	    .object = parent != NULL ? parent->object : NULL };
	p->bytes = 0;
	if (n->open != NULL)
		stop(p, n->open(&p->reading, o, p->why));
}

/* ---- texts ---- */

static bool
is_blank(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isspace((unsigned char)text[i]))
			return false;
	return true;
}

static void XMLCALL
add_text(void *arg, const XML_Char *text, int n)
{
	struct parse	*p = arg;
	struct open	*o = p->depth > 0 ? &p->stack[p->depth - 1] : NULL;

	if (p->st != ST_OK || o == NULL)
		return;
	if (o->node->text == TEXT_NONE) {
		if (!is_blank(text, (size_t)n))
			REFUSE(p, "<%s> has a text in it: \"%.*s\"", o->node->name,
			    n < 40 ? n : 40, text);
		return;
	}
	if (p->bytes + (size_t)n > READER_MAX_TEXT) {
		REFUSE(p, "the text in <%s> has more than %d bytes", o->node->name,
		    READER_MAX_TEXT);
		return;
	}
	memcpy(p->text + p->bytes, text, (size_t)n);
	p->bytes += (size_t)n;
}

/* The node's text without blanks around it. */
static char *
trimmed(struct parse *p)
{
	size_t	from = 0;

	while (p->bytes > 0 && isspace((unsigned char)p->text[p->bytes - 1]))
		p->bytes--;
	while (from < p->bytes && isspace((unsigned char)p->text[from]))
		from++;
	return arena_text(p->reading.micro->arena, p->text + from, p->bytes - from);
}

static bool
has_controls(const char *text)
{
	for (; *text != '\0'; text++)
		if (iscntrl((unsigned char)*text) && *text != '\t' && *text != '\n')
			return true;
	return false;
}

static void
read_number(struct parse *p, struct open *o)
{
	char	*end;

	errno = 0;
	o->number = strtoll(o->text, &end, 10);
	if (*end != '\0')
		stop(p, micro_refuse(p->reading.micro, o->at, p->why,
		    "%s: \"%.80s\" is no whole number", o->node->name, o->text));
	else if (errno == ERANGE)
		stop(p, micro_refuse(p->reading.micro, o->at, p->why,
		    "%s: %.80s does not fit in 64 bits", o->node->name, o->text));
}

static void
finish_text(struct parse *p, struct open *o)
{
	o->text = trimmed(p);
	if (*o->text == '\0')
		stop(p, micro_refuse(p->reading.micro, o->at, p->why, "<%s> is empty",
		    o->node->name));
	else if (has_controls(o->text))
		stop(p, micro_refuse(p->reading.micro, o->at, p->why,
		    "<%s> has a control character in its text", o->node->name));
	else if (o->node->text == TEXT_NUMBER)
		read_number(p, o);
}

/* ---- ends ---- */

static void XMLCALL
end(void *arg, const XML_Char *name)
{
	struct parse	*p = arg;
	struct open	*o;

	(void)name;
	if (p->st != ST_OK)
		return;
	o = &p->stack[p->depth - 1];
	if (o->node->text != TEXT_NONE)
		finish_text(p, o);
	if (p->st == ST_OK && o->node->close != NULL)
		stop(p, o->node->close(&p->reading, o, p->why));
	p->depth--;
}

/* Without a document type there are no entities but &lt; and its like: none can grow. */
static void XMLCALL
refuse_doctype(void *arg, const XML_Char *name, const XML_Char *system, const XML_Char *public,
    int has_subset)
{
	struct parse	*p = arg;

	(void)system;
	(void)public;
	(void)has_subset;
	REFUSE(p, "the document type %.80s: a description has none", name);
	fault_hint(p->why, "leave out the line with <!DOCTYPE");
}

/* ---- the whole ---- */

static enum status
parse(struct parse *p, const char *text, size_t bytes)
{
	XML_SetUserData(p->expat, p);
	XML_SetElementHandler(p->expat, begin, end);
	XML_SetCharacterDataHandler(p->expat, add_text);
	XML_SetStartDoctypeDeclHandler(p->expat, refuse_doctype);
	if (XML_Parse(p->expat, text, (int)bytes, XML_TRUE) == XML_STATUS_ERROR && p->st == ST_OK)
		REFUSE(p, "this is no XML: %s", XML_ErrorString(XML_GetErrorCode(p->expat)));
	return p->st == ST_OK ? links_check(p->reading.micro, p->why) : p->st;
}

enum status
reader_parse(struct micro *m, const char *text, size_t bytes, struct fault *why)
{
	struct parse	p = { .reading = { .micro = m }, .why = why };
	enum status	st;

	if (bytes > READER_MAX_BYTES)
		return fault_at(why, ST_BAD_SPEC, m->path, "it has more than %d bytes",
		    READER_MAX_BYTES);
	if ((p.expat = XML_ParserCreate(NULL)) == NULL)
		return fault_set(why, ST_NOMEM, "XML parser");
	st = parse(&p, text, bytes);
	XML_ParserFree(p.expat);
	return st;
}

enum status
reader_load(struct micro *m, struct fault *why)
{
	char		*text;
	size_t		 n;
	enum status	 st = file_text(m->path, READER_MAX_BYTES, &text, &n, why);

	if (st == ST_OK)
		st = reader_parse(m, text, n, why);
	free(text);
	return st;
}
