/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a document that name files: the files' contents take their places. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/job/document.h"
#include "proto/base/base64.h"

enum { MEMBER_BYTES = 96 };

/* Put contents in the place of names, which are relative to the file `from`. */
typedef enum status resolve_fn(json_t *, const char *from, struct fault *);

/* `file`, relative to the file that names it. */
static enum status
beside(const char *from, const char *file, char path[PATH_MAX], struct fault *why)
{
	const char	*slash = strrchr(from, '/');
	int		 n = slash != NULL && file[0] != '/' ? (int)(slash - from) + 1 : 0;

	if (snprintf(path, PATH_MAX, "%.*s%s", n, from, file) >= PATH_MAX)
		return fault_set(why, ST_BAD_SPEC, "%.64s…: the path is too long", file);
	return ST_OK;
}

/*
 * Take the member `name`, which names a file, out of `o`.  False: there is none.  Else *st is ST_OK
 * and the path is written, or *st says why not.  `instead` is the member that it stands for, which
 * must be missing.
 */
static bool
take_file(json_t *o, const char *name, const char *instead, const char *from, char path[PATH_MAX],
    enum status *st, struct fault *why)
{
	const json_t	*file = json_object_get(o, name);

	if (file == NULL)
		return false;
	if (!json_is_string(file) || json_string_length(file) == 0)
		*st = fault_at(why, ST_BAD_SPEC, name, "must be the name of a file");
	else if (json_object_get(o, instead) != NULL)
		*st = fault_at(why, ST_BAD_SPEC, name, "there is \"%s\" already", instead);
	else if ((*st = beside(from, json_string_value(file), path, why)) != ST_OK)
		(void)fault_within(why, name);
	(void)json_object_del(o, name);
	return true;
}

static enum status
resolve_entry(json_t *entry, const char *from, struct fault *why)
{
	char		 path[PATH_MAX];
	enum status	 st = ST_OK;
	json_t		*read;
	int		 fd;

	if (!take_file(entry, "file", "text", from, path, &st, why) || st != ST_OK)
		return st;
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0) {
		st = fault_set(why, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "%s: %s", path,
		    strerror(errno));
		return fault_within(why, "file") == ST_OK ? ST_OK : st;
	}
	if ((st = document_entry(fd, path, &read, why)) == ST_OK)
		(void)json_object_update(entry, read);
	json_decref(read);
	(void)close(fd);
	return st == ST_OK ? ST_OK : fault_within(why, "file");
}

/* Each member of `o`, or of its member `part`, through one function. */
static enum status
resolve_members(json_t *o, const char *part, const char *in, resolve_fn *resolve, const char *from,
    struct fault *why)
{
	char		 member[MEMBER_BYTES];
	const char	*name;
	enum status	 st;
	json_t		*value;

	json_object_foreach(o, name, value) {
		if (part != NULL)
			value = json_object_get(value, part);
		if ((st = resolve(value, from, why)) == ST_OK)
			continue;
		(void)snprintf(member, sizeof member, "%s.%.64s%s%s", in, name,
		    part != NULL ? "." : "", part != NULL ? part : "");
		return fault_within(why, member);
	}
	return ST_OK;
}

static enum status
resolve_variant(json_t *variant, const char *from, bool named, struct fault *why)
{
	char		path[PATH_MAX];
	enum status	st;

	if ((st = resolve_members(json_object_get(variant, "files"), NULL, "files", resolve_entry,
	    from, why)) != ST_OK)
		return st;
	if (!take_file(variant, "source_file", "source", from, path, &st, why) || st != ST_OK)
		return st;
	if ((st = document_source(variant, path, named, why)) != ST_OK && why->member[0] == '\0')
		(void)fault_within(why, "source_file");
	return st;
}

/* The contents of an operand: any bytes. */
static enum status
resolve_init(json_t *init, const char *from, struct fault *why)
{
	char		 path[PATH_MAX], *bytes, *encoded;
	enum status	 st = ST_OK;
	size_t		 n;

	if (!take_file(init, "data_file", "data", from, path, &st, why) || st != ST_OK)
		return st;
	if ((st = document_text(path, &bytes, &n, why)) != ST_OK)
		return fault_within(why, "data_file");
	encoded = base64_encode(bytes, n);
	free(bytes);
	if (encoded == NULL || json_object_set_new(init, "data", json_string(encoded)) != 0)
		st = fault_set(why, ST_NOMEM, "%s", path);
	free(encoded);
	return st;
}

/* The C source of functions that fill operands. */
static enum status
resolve_setup(json_t *spec, const char *from, struct fault *why)
{
	char		 path[PATH_MAX];
	enum status	 st = ST_OK;
	json_t		*read;

	if (!take_file(spec, "setup_file", "setup", from, path, &st, why) || st != ST_OK)
		return st;
	read = json_pack("{s:s}", "language", "c");
	if ((st = document_source(read, path, false, why)) == ST_OK)
		(void)json_object_set(spec, "setup", json_object_get(read, "source"));
	json_decref(read);
	return st == ST_OK ? ST_OK : fault_within(why, "setup_file");
}

static enum status
resolve_spec(json_t *spec, const char *from, struct fault *why)
{
	json_t		*reference = json_object_get(json_object_get(spec, "check"), "reference");
	json_t		*metric = json_object_get(json_object_get(spec, "timing"), "metric");
	json_t		*library = json_object_get(metric, "library");
	enum status	 st;

	if ((st = resolve_setup(spec, from, why)) != ST_OK)
		return st;
	if ((st = resolve_members(json_object_get(spec, "args"), "init", "args", resolve_init,
	    from, why)) != ST_OK)
		return st;
	if ((st = resolve_variant(reference, from, false, why)) != ST_OK)
		return fault_within(why, "check.reference");
	st = resolve_variant(library, from, false, why);
	return st == ST_OK ? ST_OK : fault_within(why, "timing.metric.library");
}

static enum status
resolve_spec_file(json_t *o, const char *from, struct fault *why)
{
	char		 path[PATH_MAX];
	enum status	 st = ST_OK;
	json_t		*spec;

	if (!take_file(o, "spec_file", "spec", from, path, &st, why) || st != ST_OK)
		return st;
	if ((st = document_load(path, &spec, why)) != ST_OK ||
	    (st = resolve_spec(spec, path, why)) != ST_OK) {
		json_decref(spec);
		return fault_within(why, "spec_file");
	}
	(void)json_object_set_new(o, "spec", spec);
	return ST_OK;
}

/* "template_file" is a template with that source_file. */
static void
resolve_template_file(json_t *o)
{
	json_t	*file = json_object_get(o, "template_file");

	if (file == NULL)
		return;
	if (json_object_get(o, "template") == NULL)
		(void)json_object_set_new(o, "template", json_object());
	(void)json_object_set(json_object_get(o, "template"), "source_file", file);
	(void)json_object_del(o, "template_file");
}

static enum status
resolve_list(json_t *list, const char *name, const char *from,
    resolve_fn *resolve, struct fault *why)
{
	char		 member[MEMBER_BYTES];
	enum status	 st;
	json_t		*item;
	size_t		 i;

	json_array_foreach(list, i, item) {
		if ((st = resolve(item, from, why)) != ST_OK) {
			(void)snprintf(member, sizeof member, "%s[%zu]", name, i);
			return fault_within(why, member);
		}
	}
	return ST_OK;
}

static enum status
resolve_named_variant(json_t *variant, const char *from, struct fault *why)
{
	return resolve_variant(variant, from, true, why);
}

/* ---- the space of a sweep ---- */

/* The variants in these files, as values of a dimension: a new reference. */
static enum status
variants_of_files(const json_t *files, const char *from, json_t **list, struct fault *why)
{
	char		 path[PATH_MAX], member[MEMBER_BYTES];
	json_t		*variant = NULL, *file;
	enum status	 st = ST_OK;
	size_t		 i;

	*list = json_array();
	json_array_foreach(files, i, file) {
		if (!json_is_string(file) || json_string_length(file) == 0)
			st = fault_set(why, ST_BAD_SPEC, "must be the name of a file");
		else if ((st = beside(from, json_string_value(file), path, why)) == ST_OK)
			st = document_variant(path, &variant, why);
		if (st != ST_OK) {
			(void)snprintf(member, sizeof member, "source_file[%zu]", i);
			return fault_within(why, member);
		}
		(void)json_array_append_new(*list, variant);
	}
	return ST_OK;
}

/* In the place of "source_file" comes "variant": its place is its speed. */
static enum status
put_variants(json_t *space, json_t *variants, struct fault *why)
{
	json_t		*others = json_copy(space), *value;
	const char	*name;

	(void)json_object_clear(space);
	json_object_foreach(others, name, value)
		(void)(strcmp(name, "source_file") == 0 ?
		    json_object_set(space, "variant", variants) :
		    json_object_set(space, name, value));
	json_decref(others);
	return json_object_get(space, "variant") != NULL ? ST_OK :
	    fault_set(why, ST_NOMEM, "space");
}

static enum status
resolve_source_files(json_t *space, const char *from, struct fault *why)
{
	const json_t	*files = json_object_get(space, "source_file");
	json_t		*variants = NULL;
	enum status	 st = ST_OK;

	if (files == NULL)
		return ST_OK;
	if (!json_is_array(files) || json_array_size(files) == 0)
		return fault_at(why, ST_BAD_SPEC, "source_file", "must be a list of files");
	if (json_object_get(space, "variant") != NULL)
		return fault_at(why, ST_BAD_SPEC, "source_file", "there is \"variant\" already");
	if ((st = variants_of_files(files, from, &variants, why)) == ST_OK)
		st = put_variants(space, variants, why);
	json_decref(variants);
	return st;
}

static enum status
resolve_space(json_t *space, const char *from, struct fault *why)
{
	enum status	st = resolve_source_files(space, from, why);

	return st != ST_OK ? st : resolve_list(json_object_get(space, "variant"), "variant", from,
	    resolve_named_variant, why);
}

/* One job, sweep or bare spec. */
static enum status
resolve_object(json_t *o, const char *from, struct fault *why)
{
	static const struct {
		const char	*member;
		resolve_fn	*resolve;
	} parts[] = {
		{ "spec", resolve_spec }, { "variant", resolve_named_variant },
		{ "template", resolve_named_variant }, { "space", resolve_space },
	};
	enum status	st;

	if ((st = resolve_spec_file(o, from, why)) != ST_OK ||
	    (st = resolve_spec(o, from, why)) != ST_OK)		/* of a bare spec */
		return st;
	resolve_template_file(o);
	for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if ((st = parts[i].resolve(json_object_get(o, parts[i].member), from,
		    why)) != ST_OK)
			return fault_within(why, parts[i].member);
	return resolve_list(json_object_get(o, "variants"), "variants", from,
	    resolve_named_variant, why);
}

enum status
document_resolve(json_t *doc, const char *path, struct fault *why)
{
	enum status	st;

	if (json_is_array(doc))
		return resolve_list(doc, "", path, resolve_object, why);
	if ((st = resolve_object(doc, path, why)) != ST_OK)
		return st;
	return resolve_list(json_object_get(doc, "jobs"), "jobs", path, resolve_object, why);
}
