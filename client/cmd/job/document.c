/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/cmd/job/document.h"
#include "proto/base/base64.h"

enum { FILE_MAX_BYTES = 64 << 20, FIRST_BYTES = 64 << 10 };

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
		    error.column, json_error_code(&error) == json_error_null_character ?
		    "\\u0000 may be in no string" : error.text);
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
	return strcmp(language, "object") == 0 || strcmp(language, "shared") == 0 ||
	    strcmp(language, "program") == 0;
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

enum status
document_source(json_t *variant, const char *path, bool named, struct fault *why)
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
	if ((st = document_source(*out, path, true, why)) != ST_OK) {
		json_decref(*out);
		*out = NULL;
	}
	return st;
}
