/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/check.h"
#include "client/import/functions.h"
#include "client/import/gco_parts.h"
#include "client/import/head.h"
#include "client/import/includes.h"
#include "client/import/scan.h"
#include "proto/base/name.h"
#include "proto/spec/spec.h"

/* ---- the routine ---- */

/* "DOITGEN REF" → DOITGEN_REF, with a remark. */
static char *
joined_name(struct gco *g)
{
	char	*name = span_on_one_line(g->routine);
	bool	 is_joined = false;

	for (char *c = name; c != NULL && (c = strchr(c, ' ')) != NULL; is_joined = true)
		*c = '_';
	if (is_joined)
		foreign_remark(g->source, g->routine.at, "the words are one name: %s", name);
	return name;
}

static enum status
no_such_function(const struct gco *g, const char *name, struct fault *why)
{
	const char	*at = g->source->text;
	struct function	 f;

	(void)foreign_fault(g->source, g->routine.at, why, "the file defines no function \"%s\"",
	    name);
	if (function_next(g->source, &at, &f))
		fault_hint(why, "it defines %.*s", (int)(f.name.n < 128 ? f.name.n : 128),
		    f.name.at);
	return ST_BAD_SPEC;
}

/* The head with types of C in place of those of f2c.h.  Owned by the caller. */
static char *
plain_head(struct span head)
{
	const char	*end = head.at + head.n, *past;
	char		*text = malloc(4 * head.n + 1), *to = text;

	for (const char *c = scan_blank(head.at, end); text != NULL && c < end;
	    c = scan_blank(past, end)) {
		const char	*type;

		past = scan_past(c, end);
		type = includes_f2c_type((struct span){ c, (size_t)(past - c) });
		to += type != NULL ? sprintf(to, "%s ", type) :
		    sprintf(to, "%.*s ", (int)(past - c), c);
	}
	return text;
}

static enum status
find_routine(struct gco *g, json_t *spec, struct fault *why)
{
	char		*name = joined_name(g);
	const char	*at = g->source->text;
	struct function	 f;
	enum status	 st = ST_NOT_FOUND;

	if (name == NULL)
		return fault_set(why, ST_NOMEM, "routine");
	while (st == ST_NOT_FOUND && function_next(g->source, &at, &f))
		if (gco_same_name(f.name, (struct span){ name, strlen(name) }))
			st = head_put(g->source, f.head, plain_head(f.head), &g->prototype, spec,
			    why);
	if (st == ST_NOT_FOUND)
		st = no_such_function(g, name, why);
	free(name);
	return st;
}

/* ---- the sizes ---- */

/* A name that the file does not use: as a macro it would be put in there. */
static const char *
size_name(const struct foreign *sources, size_t n)
{
	static const char *const	names[] = { "SIZE", "ATLAS_SIZE", "SIZE_OF_SWEEP" };

	for (unsigned i = 0; i < 2; i++) {
		bool	is_used = false;

		for (size_t k = 0; k < n && !is_used; k++) {
			const char	*end = sources[k].text + sources[k].bytes, *past;

			for (const char *c = scan_blank(sources[k].text, end); c < end;
			    c = scan_blank(past, end)) {
				past = scan_past(c, end);
				is_used |= span_is((struct span){ c, (size_t)(past - c) },
				    names[i]);
			}
		}
		if (!is_used)
			return names[i];
	}
	return names[2];
}

static json_t *
all_sizes(const struct gco *g)
{
	json_t	*list = json_array();

	for (int64_t n = g->first; n <= g->last; n += g->step)
		(void)json_array_append_new(list, json_integer((json_int_t)n));
	return list;
}

/* ---- the text ---- */

/* All files, one after the other, without the files that they include. */
static json_t *
one_text(struct foreign *sources, size_t n)
{
	size_t	 bytes = 0;
	bool	 f2c = false;
	char	*text, *to;
	json_t	*made;

	for (size_t i = 0; i < n; i++)
		bytes += sources[i].bytes + INCLUDES_MORE_BYTES;
	if ((text = to = malloc(bytes + 1)) == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++)
		to = includes_left_out(&sources[i], (struct span){ sources[i].text,
		    sources[i].bytes }, to, &f2c);
	made = json_pack("{s:s, s:s%}", "language", "c", "source", text, (size_t)(to - text));
	free(text);
	return made;
}

/* ---- the whole ---- */

static const char *
place_of(void *arg, struct span argument)
{
	struct gco	*g = arg;
	struct gco_arg	*a = gco_arg(g, argument);

	return a != NULL ? a->name.at : g->routine.at;
}

static json_t *
put_together(const struct gco *g, const char *name, json_t *spec, json_t *variant)
{
	(void)json_object_set_new(variant, "name", json_string(g->prototype.name));
	if (g->size.at == NULL)
		return json_pack("{s:O, s:O}", "spec", spec, "variant", variant);
	return json_pack("{s:s, s:O, s:O, s:{s:o}}", "name", name != NULL ? name :
	    g->prototype.name, "spec", spec, "template", variant, "space", g->size_name,
	    all_sizes(g));
}

static enum status
make(struct gco *g, struct foreign *sources, size_t n, const char *name, json_t **made,
    struct fault *why)
{
	json_t		*spec = json_object(), *args = NULL, *variant = NULL;
	enum status	 st;

	if ((st = gco_read(g, why)) != ST_OK || (st = find_routine(g, spec, why)) != ST_OK)
		goto out;
	g->size_name = size_name(sources, n);
	if (g->size.at != NULL)
		(void)json_object_set_new(spec, "params", json_pack("{s:I}", g->size_name,
		    (json_int_t)g->last));
	if ((st = gco_args(g, &args, why)) != ST_OK)
		goto out;
	(void)json_object_set(spec, "args", args);
	if ((variant = one_text(sources, n)) == NULL) {
		st = fault_set(why, ST_NOMEM, "source");
		goto out;
	}
	(void)json_object_set_new(spec, "check", json_pack("{s:o}", "reference",
	    json_deep_copy(variant)));
	if ((st = check_spec(g->source, spec, place_of, g, why)) == ST_OK)
		*made = put_together(g, name, spec, variant);
out:
	json_decref(variant);
	json_decref(args);
	json_decref(spec);
	return st;
}

enum status
gco_import(struct foreign *sources, size_t n, const char *name, json_t **made, struct fault *why)
{
	struct gco	*g = calloc(1, sizeof *g);
	enum status	 st;

	*made = NULL;
	if (g == NULL)
		return fault_set(why, ST_NOMEM, "directives");
	g->source = &sources[0];
	st = make(g, sources, n, name, made, why);
	free(g);
	return st;
}
