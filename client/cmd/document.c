/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/cmd/document.h"
#include "proto/base/base64.h"

enum { FILE_MAX_BYTES = 64 << 20, FIRST_BYTES = 64 << 10, MEMBER_BYTES = 96 };

struct text {
	char	*bytes;			/* owned; terminated */
	size_t	 n;
};

/* ---- reading ---- */

static enum status
read_all(int fd, const char *path, struct text *t, struct fault *why)
{
	size_t	 room = 0;
	ssize_t	 n;
	char	*more;

	t->bytes = NULL;
	t->n = 0;
	do {
		if (room - t->n < 2) {
			room = 2 * room + FIRST_BYTES;
			if (room > FILE_MAX_BYTES || (more = realloc(t->bytes, room)) == NULL) {
				free(t->bytes);
				return fault_set(why, ST_FULL, "%s: is longer than %d MiB", path,
				    FILE_MAX_BYTES >> 20);
			}
			t->bytes = more;
		}
		n = read(fd, t->bytes + t->n, room - t->n - 1);
		t->n += n > 0 ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0) {
		free(t->bytes);
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	}
	t->bytes[t->n] = '\0';
	return ST_OK;
}

static enum status
read_file(const char *path, struct text *t, struct fault *why)
{
	enum status	st;
	int		fd = strcmp(path, "-") == 0 ? STDIN_FILENO :
			    open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fault_set(why, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "%s: %s", path,
		    strerror(errno));
	st = read_all(fd, path, t, why);
	if (fd != STDIN_FILENO)
		(void)close(fd);
	return st;
}

enum status
document_text(const char *path, char **text, size_t *bytes, struct fault *why)
{
	struct text	t;
	enum status	st = read_file(path, &t, why);

	*text = st == ST_OK ? t.bytes : NULL;
	if (bytes != NULL)
		*bytes = st == ST_OK ? t.n : 0;
	return st;
}

enum status
document_load(const char *path, json_t **doc, struct fault *why)
{
	const char	*shown = strcmp(path, "-") == 0 ? "standard input" : path;
	json_error_t	 error;
	struct text	 t;
	enum status	 st;

	*doc = NULL;
	if ((st = read_file(path, &t, why)) != ST_OK)
		return st;
	*doc = json_loadb(t.bytes, t.n, JSON_REJECT_DUPLICATES, &error);
	free(t.bytes);
	if (*doc == NULL)
		return fault_set(why, ST_BAD_SPEC, "%s:%d:%d: %s", shown, error.line,
		    error.column, error.text);
	return ST_OK;
}

/* ---- variants from files ---- */

const char *
document_language(const char *path)
{
	static const struct {
		const char	*extension, *language;
	} known[] = {
		{ ".c", "c" }, { ".cc", "c++" }, { ".cpp", "c++" }, { ".cxx", "c++" },
		{ ".C", "c++" }, { ".f", "fortran" }, { ".f90", "fortran" }, { ".s", "asm" },
		{ ".S", "asm" }, { ".o", "object" }, { ".so", "shared" },
	};
	const char	*dot = strrchr(path, '.');

	for (unsigned i = 0; dot != NULL && i < sizeof known / sizeof known[0]; i++)
		if (strcmp(known[i].extension, dot) == 0)
			return known[i].language;
	return NULL;
}

bool
document_is_binary(const char *language)
{
	return strcmp(language, "object") == 0 || strcmp(language, "shared") == 0;
}

/* The line of the first byte that is not UTF-8, or is NUL. */
static int
bad_line(const struct text *t)
{
	int	line = 1;

	for (size_t from = 0; from < t->n; line++) {
		const char	*end = memchr(t->bytes + from, '\n', t->n - from);
		size_t		 n = end != NULL ? (size_t)(end - t->bytes) - from : t->n - from;
		json_t		*one = json_stringn(t->bytes + from, n);

		if (one == NULL || memchr(t->bytes + from, '\0', n) != NULL) {
			json_decref(one);
			return line;
		}
		json_decref(one);
		from += n + 1;
	}
	return line;
}

static json_t *
in_base64(const struct text *t)
{
	char	*encoded = base64_encode(t->bytes, t->n);
	json_t	*text = encoded != NULL ? json_string(encoded) : NULL;

	free(encoded);
	return text;
}

static enum status
read_source(const char *path, const char *language, json_t **source, struct fault *why)
{
	struct text	 t;
	enum status	 st;

	if ((st = read_file(path, &t, why)) != ST_OK)
		return st;
	if (document_is_binary(language)) {
		*source = in_base64(&t);
	} else {
		*source = memchr(t.bytes, '\0', t.n) == NULL ? json_stringn(t.bytes, t.n) : NULL;
		if (*source == NULL) {
			st = fault_set(why, ST_BAD_SPEC, "%s:%d: is not UTF-8 text", path,
			    bad_line(&t));
			fault_hint(why, "convert it with iconv, or give an object file the "
			    "ending .o or .so");
		}
	}
	free(t.bytes);
	return *source != NULL ? ST_OK : st != ST_OK ? st : fault_set(why, ST_NOMEM, "%s", path);
}

/* NULL: it is no text. */
static json_t *
as_text(const struct text *t, const char *name)
{
	const char	*language = document_language(name);

	if ((language != NULL && document_is_binary(language)) ||
	    memchr(t->bytes, '\0', t->n) != NULL)
		return NULL;
	return json_stringn(t->bytes, t->n);
}

enum status
document_entry(int fd, const char *name, json_t **entry, struct fault *why)
{
	struct text	 t;
	json_t		*text;
	enum status	 st;

	*entry = NULL;
	if ((st = read_all(fd, name, &t, why)) != ST_OK)
		return st;
	text = as_text(&t, name);
	*entry = text != NULL ? json_pack("{s:o}", "text", text) :
	    json_pack("{s:o?}", "base64", in_base64(&t));
	free(t.bytes);
	return *entry != NULL ? ST_OK : fault_set(why, ST_NOMEM, "%s", name);
}

static json_t *
name_of_file(const char *path)
{
	const char	*base = strrchr(path, '/'), *dot;

	base = base != NULL ? base + 1 : path;
	dot = strrchr(base, '.');
	return json_stringn(base, dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base));
}

/* The daemon takes Fortran for free form.  The ending .f means fixed form. */
static void
add_fixed_form(json_t *variant, const char *path)
{
	const char	*dot = strrchr(path, '.');

	if (dot == NULL || strcmp(dot, ".f") != 0)
		return;
	if (json_object_get(variant, "flags") == NULL)
		(void)json_object_set_new(variant, "flags", json_pack("[s]", "-O2"));
	(void)json_array_append_new(json_object_get(variant, "flags"),
	    json_string(DOCUMENT_FIXED_FORM));
}

/* Put the source in `path` into `variant`, and language and name if these are missing. */
static enum status
add_source(json_t *variant, const char *path, bool named, struct fault *why)
{
	const char	*language = json_string_value(json_object_get(variant, "language"));
	json_t		*source = NULL;
	enum status	 st;

	if (language == NULL && (language = document_language(path)) == NULL) {
		(void)fault_set(why, ST_BAD_SPEC, "%s: no language has this ending", path);
		fault_hint(why, "known are .c .cc .cpp .cxx .C .f .f90 .s .S .o .so");
		return ST_BAD_SPEC;
	}
	if ((st = read_source(path, language, &source, why)) != ST_OK)
		return st;
	(void)json_object_set_new(variant, "language", json_string(language));
	(void)json_object_set_new(variant, "source", source);
	add_fixed_form(variant, path);
	if (named && json_object_get(variant, "name") == NULL)
		(void)json_object_set_new(variant, "name", name_of_file(path));
	return ST_OK;
}

enum status
document_variant(const char *path, json_t **out, struct fault *why)
{
	enum status	st;

	*out = json_object();
	if ((st = add_source(*out, path, true, why)) != ST_OK) {
		json_decref(*out);
		*out = NULL;
	}
	return st;
}

/* ---- the conveniences ---- */

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

/* Entries that name files: by their contents. */
static enum status
resolve_files(json_t *variant, const char *from, struct fault *why)
{
	char		 member[MEMBER_BYTES];
	const char	*name;
	enum status	 st;
	json_t		*entry;

	json_object_foreach(json_object_get(variant, "files"), name, entry) {
		if ((st = resolve_entry(entry, from, why)) != ST_OK) {
			(void)snprintf(member, sizeof member, "files.%.80s", name);
			return fault_within(why, member);
		}
	}
	return ST_OK;
}

static enum status
resolve_variant(json_t *variant, const char *from, bool named, struct fault *why)
{
	char		path[PATH_MAX];
	enum status	st;

	if ((st = resolve_files(variant, from, why)) != ST_OK)
		return st;
	if (!take_file(variant, "source_file", "source", from, path, &st, why) || st != ST_OK)
		return st;
	if ((st = add_source(variant, path, named, why)) != ST_OK && why->member[0] == '\0')
		(void)fault_within(why, "source_file");
	return st;
}

/* The contents of an operand: any bytes. */
static enum status
resolve_init(json_t *init, const char *from, struct fault *why)
{
	char		 path[PATH_MAX];
	enum status	 st = ST_OK;
	struct text	 t;

	if (!take_file(init, "data_file", "data", from, path, &st, why) || st != ST_OK)
		return st;
	if ((st = read_file(path, &t, why)) != ST_OK)
		return fault_within(why, "data_file");
	(void)json_object_set_new(init, "data", in_base64(&t));
	free(t.bytes);
	return ST_OK;
}

static enum status
resolve_args(json_t *args, const char *from, struct fault *why)
{
	char		 member[MEMBER_BYTES];
	const char	*name;
	enum status	 st;
	json_t		*arg;

	json_object_foreach(args, name, arg) {
		if ((st = resolve_init(json_object_get(arg, "init"), from, why)) != ST_OK) {
			(void)snprintf(member, sizeof member, "args.%.64s.init", name);
			return fault_within(why, member);
		}
	}
	return ST_OK;
}

static enum status
resolve_spec(json_t *spec, const char *from, struct fault *why)
{
	json_t		*reference = json_object_get(json_object_get(spec, "check"), "reference");
	enum status	 st;

	if ((st = resolve_args(json_object_get(spec, "args"), from, why)) != ST_OK)
		return st;
	st = resolve_variant(reference, from, false, why);
	return st == ST_OK ? ST_OK : fault_within(why, "check.reference");
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
    enum status (*resolve)(json_t *, const char *, struct fault *), struct fault *why)
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
		enum status	(*resolve)(json_t *, const char *, struct fault *);
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
