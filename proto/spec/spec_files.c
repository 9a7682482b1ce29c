/* SPDX-License-Identifier: Apache-2.0 */
/* Beside a variant's source: files that it includes or is linked with, and libraries. */
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"

/* A file as it is written: its text, its bytes in base64, and whether it is compiled. */
struct written {
	char	*text;			/* owned; NULL: none */
	char	*bytes;			/* owned; NULL: none */
	size_t	 nbytes;
	bool	 compile, says_compile;
};

/* ---- names ---- */

/* The builder's own files. */
static const char *const	taken[] = {
	"variant.c", "variant.cc", "variant.F90", "variant.S", "variant.o", "reference.c",
	"reference.cc", "reference.F90", "reference.S", "reference.o", "metric.c",
	"metric.cc", "metric.F90", "metric.S", "metric.o", "out.so", "pad.s", NULL,
};

/* Is one of them the other's folder? */
static bool
is_within(const char *folder, const char *name)
{
	const size_t	n = strlen(folder);

	return strncmp(folder, name, n) == 0 && name[n] == '/';
}

static enum status
check_name(const struct variant *v, const struct node *n, struct fault *why)
{
	enum status	st;

	if ((st = name_check_file(n->name, SPEC_MAX_FILE_NAME, SPEC_MAX_FILE_DEPTH, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	if (name_is_among(n->name, taken)) {
		st = decode_refuse(n, NULL, why, "is a name of the builder's own");
		fault_hint(why, "choose another");
		return st;
	}
	for (size_t i = 0; i < v->nfiles; i++)
		if (is_within(v->files[i].name, n->name) || is_within(n->name, v->files[i].name))
			return decode_refuse(n, NULL, why,
			    "\"%s\" cannot be a file and a folder", v->files[i].name);
	return ST_OK;
}

/* ---- which are compiled ---- */

#define OF(language)	(1u << (language))
#define ANY_SOURCE	(OF(LANG_C) | OF(LANG_CXX) | OF(LANG_FORTRAN) | OF(LANG_ASM))

/* The endings of what a compiler makes objects of, and the variants it can be linked with. */
static const struct ending {
	const char	*text;
	unsigned	 languages;
} endings[] = {
	{ ".c", ANY_SOURCE }, { ".s", ANY_SOURCE }, { ".S", ANY_SOURCE },
	{ ".o", ANY_SOURCE | OF(LANG_OBJECT) }, { ".cc", OF(LANG_CXX) }, { ".cpp", OF(LANG_CXX) },
	{ ".cxx", OF(LANG_CXX) }, { ".C", OF(LANG_CXX) }, { ".f", OF(LANG_FORTRAN) },
	{ ".F", OF(LANG_FORTRAN) }, { ".f90", OF(LANG_FORTRAN) }, { ".F90", OF(LANG_FORTRAN) },
};

static const struct ending *
ending_of(const char *name)
{
	const char	*dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++)
		if (strcmp(endings[i].text, dot) == 0)
			return &endings[i];
	return NULL;
}

static enum status
check_compile(const struct variant *v, const struct source_file *f, const struct node *n,
    struct fault *why)
{
	const struct ending	*e = ending_of(f->name);
	enum status		 st;

	if (!f->compile || (e != NULL && (e->languages >> v->language & 1) != 0))
		return ST_OK;
	if (e == NULL) {
		st = decode_refuse(n, "compile", why, "no compiler takes a file with this ending");
		fault_hint(why, "name it .c, .cc, .f90, .s or .o, or leave compile out");
		return st;
	}
	st = decode_refuse(n, NULL, why, "cannot be linked with a variant whose language is \"%s\"",
	    language_name(v->language));
	fault_hint(why, "make the variant's language that of the file, or \"compile\": false");
	return st;
}

/* ---- one file ---- */

static enum status
get_base64(void *out, const struct node *n, struct fault *why)
{
	struct written	*w = out;

	return decode_base64(n, SPEC_MAX_SOURCE, &w->bytes, &w->nbytes, why);
}

#define ROW(member, ...) SHAPE_ROW(struct written, member, __VA_ARGS__)
static const struct shape_row	file_rows[] = {
	ROW(text, SHAPE_STRING, .most = SPEC_MAX_SOURCE),
	SPEC_ROW(0, "base64", SHAPE_OWN, .get = get_base64, .forms = FORM_BASE64,
	    .most = SPEC_MAX_SOURCE),
	ROW(compile, SHAPE_FLAG, .has = offsetof(struct written, says_compile)),
};
#undef ROW
const struct shape		file_shape = SHAPE_OF(struct written, file_rows);

static enum status
get_written(struct written *w, const struct node *n, struct fault *why)
{
	enum status	st;

	if (json_is_string(n->value))
		return decode_text(n, SPEC_MAX_SOURCE, &w->text, why);
	if (!json_is_object(n->value)) {
		st = decode_refuse(n, NULL, why, "must be the file's text or an object");
		fault_hint(why, "{ \"base64\": \"…\" } for bytes that are no text");
		return st;
	}
	if ((st = shape_get(&file_shape, w, n, SHAPE_WRITTEN, why)) != ST_OK)
		return st;
	if ((w->text != NULL) != (w->bytes != NULL))
		return ST_OK;
	return decode_refuse(n, NULL, why, "must have exactly one of text, base64");
}

static enum status
get_file(struct variant *v, const struct node *n, struct fault *why)
{
	struct source_file	*f = &v->files[v->nfiles];
	struct written		 w = { .text = NULL };
	enum status		 st;

	if ((st = check_name(v, n, why)) != ST_OK)
		return st;
	if ((f->name = strdup(n->name)) == NULL)
		return fault_set(why, ST_NOMEM, "files");
	v->nfiles++;
	st = get_written(&w, n, why);
	f->bytes = w.text != NULL ? w.text : w.bytes;
	if (w.text != NULL && w.bytes != NULL)
		free(w.bytes);
	if (st != ST_OK)
		return st;
	f->nbytes = w.text != NULL ? strlen(w.text) : w.nbytes;
	f->compile = w.says_compile ? w.compile : ending_of(f->name) != NULL;
	return check_compile(v, f, n, why);
}

/* ---- the members ---- */

static enum status
check_all(const struct variant *v, const struct node *n, struct fault *why)
{
	size_t	bytes = 0;

	for (size_t i = 0; i < v->nfiles; i++)
		bytes += v->files[i].nbytes;
	if (bytes <= SPEC_MAX_ALL_FILES)
		return ST_OK;
	return decode_refuse(n, NULL, why, "%zu files have %zu bytes together; at most %d are "
	    "allowed", v->nfiles, bytes, SPEC_MAX_ALL_FILES);
}

static bool
is_linked(const struct variant *v)
{
	return v->language == LANG_SHARED || v->language == LANG_PROGRAM;
}

static enum status
refuse_for_linked(const struct variant *v, const struct node *n, struct fault *why)
{
	enum status	st;

	st = decode_refuse(n, NULL, why, "means nothing for \"%s\": it is linked already",
	    language_name(v->language));
	fault_hint(why, "hand in the source, or a relocatable object");
	return st;
}

enum status
spec_get_files(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	const size_t	 count = json_object_size(n->value);
	const char	*name;
	json_t		*value;
	enum status	 st;

	if (is_linked(v))
		return refuse_for_linked(v, n, why);
	if ((st = decode_object(n, why)) != ST_OK)
		return st;
	if (count > SPEC_MAX_FILES)
		return decode_refuse(n, NULL, why, "has %zu files; at most %d are allowed", count,
		    SPEC_MAX_FILES);
	if ((v->files = calloc(count + 1, sizeof *v->files)) == NULL)
		return fault_set(why, ST_NOMEM, "files");
	json_object_foreach((json_t *)(uintptr_t)n->value, name, value) {
		struct node	file = { .up = n, .name = name, .value = value };

		if ((st = get_file(v, &file, why)) != ST_OK)
			return st;
	}
	return check_all(v, n, why);
}

static enum status
add_library(struct variant *v, const struct node *n, struct fault *why)
{
	char		**library = &v->libraries[v->nlibraries++];
	enum status	  st;

	if ((st = decode_label(n, NAME_MAX_BYTES, library, why)) != ST_OK)
		return st;
	if ((st = name_check_library(*library, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	for (size_t i = 0; i + 1 < v->nlibraries; i++)
		if (strcmp(v->libraries[i], *library) == 0)
			return decode_refuse(n, NULL, why, "\"%s\" is there twice", *library);
	return ST_OK;
}

enum status
spec_get_libraries(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	const size_t	 count = json_array_size(n->value);
	enum status	 st = ST_OK;

	if (is_linked(v))
		return refuse_for_linked(v, n, why);
	if (!json_is_array(n->value))
		return decode_refuse(n, NULL, why, "must be an array of names");
	if (count > SPEC_MAX_LIBRARIES)
		return decode_refuse(n, NULL, why, "has %zu names; at most %d are allowed", count,
		    SPEC_MAX_LIBRARIES);
	if ((v->libraries = calloc(count + 1, sizeof *v->libraries)) == NULL)
		return fault_set(why, ST_NOMEM, "libraries");
	for (size_t i = 0; i < count && st == ST_OK; i++) {
		struct node	library = decode_element(n, i);

		st = add_library(v, &library, why);
	}
	return st;
}

void
spec_release_files(struct variant *v)
{
	for (size_t i = 0; i < v->nfiles; i++) {
		free(v->files[i].name);
		free(v->files[i].bytes);
	}
	for (size_t i = 0; i < v->nlibraries; i++)
		free(v->libraries[i]);
	free(v->files);
	free(v->libraries);
}
