/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <expat.h>

#include "client/micro/read/file.h"
#include "client/micro/read/launch_config.h"

/* Depths: the document, its config, the options in that. */
enum { DEPTH_DOCUMENT, DEPTH_CONFIG, DEPTH_OPTION };

struct parse {
	XML_Parser	 expat;		/* owned */
	const char	*path;
	unsigned	 depth;
	json_t		*options;	/* owned */
	enum status	 st;
	struct fault	*why;
};

static void
refuse(struct parse *p, const char *what, const char *name)
{
	char	place[160];

	if (p->st != ST_OK)
		return;
	(void)snprintf(place, sizeof place, "%.120s:%lu", p->path,
	    (unsigned long)XML_GetCurrentLineNumber(p->expat));
	p->st = fault_at(p->why, ST_BAD_SPEC, place, "%s%.80s", what, name);
	(void)XML_StopParser(p->expat, XML_FALSE);
}

static void
add_option(struct parse *p, const char *name, const char **attributes)
{
	json_t	*option;

	if (json_array_size(p->options) == LAUNCH_CONFIG_MAX_OPTIONS) {
		refuse(p, "there are too many options at ", name);
		return;
	}
	for (size_t i = 0; attributes[i] != NULL; i += 2)
		if (strcmp(attributes[i], "value") != 0 || i > 0) {
			refuse(p, "an option has one attribute, value, and this has ",
			    attributes[i]);
			return;
		}
	option = json_pack("{s:s, s:I}", "name", name, "line",
	    (json_int_t)XML_GetCurrentLineNumber(p->expat));
	if (attributes[0] != NULL)
		(void)json_object_set_new(option, "value", json_string(attributes[1]));
	(void)json_array_append_new(p->options, option);
}

static void XMLCALL
begin(void *arg, const XML_Char *name, const XML_Char **attributes)
{
	struct parse	*p = arg;

	if (p->st != ST_OK)
		return;
	if (p->depth == DEPTH_DOCUMENT && strcmp(name, "microlaunch") != 0)
		refuse(p, "the document is a <microlaunch>, not a ", name);
	else if (p->depth == DEPTH_CONFIG && strcmp(name, "config") != 0)
		refuse(p, "a <microlaunch> has a <config>, not a ", name);
	else if (p->depth == DEPTH_OPTION)
		add_option(p, name, attributes);
	else if (p->depth > DEPTH_OPTION)
		refuse(p, "an option has nothing in it, and here is ", name);
	p->depth++;
}

static void XMLCALL
end(void *arg, const XML_Char *name)
{
	struct parse	*p = arg;

	(void)name;
	p->depth--;
}

static void XMLCALL
add_text(void *arg, const XML_Char *text, int n)
{
	for (int i = 0; i < n; i++)
		if (!isspace((unsigned char)text[i])) {
			refuse(arg, "values are attributes: <name value=\"...\"/>", "");
			return;
		}
}

/* Without a document type there are no entities but &lt; and its like: none can grow. */
static void XMLCALL
refuse_doctype(void *arg, const XML_Char *name, const XML_Char *system, const XML_Char *public,
    int has_subset)
{
	(void)system;
	(void)public;
	(void)has_subset;
	refuse(arg, "a configuration has no document type, and this has ", name);
}

static enum status
parse(struct parse *p, const char *text, size_t bytes)
{
	XML_SetUserData(p->expat, p);
	XML_SetElementHandler(p->expat, begin, end);
	XML_SetCharacterDataHandler(p->expat, add_text);
	XML_SetStartDoctypeDeclHandler(p->expat, refuse_doctype);
	if (XML_Parse(p->expat, text, (int)bytes, XML_TRUE) == XML_STATUS_ERROR)
		refuse(p, "this is no XML: ", XML_ErrorString(XML_GetErrorCode(p->expat)));
	return p->st;
}

enum status
launch_config_parse(const char *path, const char *text, size_t bytes, json_t **options,
    struct fault *why)
{
	struct parse	p = { .path = path, .why = why };

	*options = NULL;
	if (bytes > LAUNCH_CONFIG_MAX_BYTES)
		return fault_at(why, ST_BAD_SPEC, path, "it has more than %d bytes",
		    LAUNCH_CONFIG_MAX_BYTES);
	if ((p.expat = XML_ParserCreate(NULL)) == NULL)
		return fault_set(why, ST_NOMEM, "XML parser");
	p.options = json_array();
	if (parse(&p, text, bytes) == ST_OK)
		*options = json_incref(p.options);
	json_decref(p.options);
	XML_ParserFree(p.expat);
	return p.st;
}

enum status
launch_config_load(const char *path, json_t **options, struct fault *why)
{
	char		*text;
	size_t		 n;
	enum status	 st = file_text(path, LAUNCH_CONFIG_MAX_BYTES, &text, &n, why);

	*options = NULL;
	if (st == ST_OK)
		st = launch_config_parse(path, text, n, options, why);
	free(text);
	return st;
}
