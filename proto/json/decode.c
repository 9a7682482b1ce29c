/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/base64.h"
#include "proto/base/utf8.h"
#include "proto/json/decode.h"

enum { PATH_BYTES = sizeof ((struct fault *)0)->member, HINT_ALL_MAX = 20 };

/* --- where --- */

static size_t
put_path(const struct node *n, char *buf, size_t bytes)
{
	size_t	at;
	int	wrote;

	if (n == NULL || n->up == NULL)
		return 0;
	at = put_path(n->up, buf, bytes);
	if (n->name == NULL)
		wrote = snprintf(buf + at, bytes - at, "[%zu]", n->index);
	else
		wrote = snprintf(buf + at, bytes - at, "%s%s", at > 0 ? "." : "", n->name);
	at += wrote > 0 ? (size_t)wrote : 0;
	return at < bytes ? at : bytes - 1;
}

enum status
decode_refuse(const struct node *n, const char *name, struct fault *why, const char *fmt, ...)
{
	struct node	child = { .up = n, .name = name };
	char		path[PATH_BYTES] = "", words[sizeof why->text];
	va_list		ap;

	if (why == NULL)
		return ST_BAD_SPEC;
	va_start(ap, fmt);
	(void)vsnprintf(words, sizeof words, fmt, ap);
	va_end(ap);
	(void)put_path(name != NULL ? &child : n, path, sizeof path);
	return fault_at(why, ST_BAD_SPEC, path, "%s", words);
}

enum status
decode_place(const struct node *n, struct fault *why)
{
	char	path[PATH_BYTES] = "";

	if (why == NULL)
		return ST_BAD_SPEC;
	(void)put_path(n, path, sizeof path);
	return path[0] == '\0' ? why->status : fault_within(why, path);
}

void
decode_hint(struct fault *why, const char *word, const char *const *names)
{
	const char	*near = nearest_name(word, names);
	char		 list[sizeof why->hint] = "";
	size_t		 at = 0, n = 0;

	if (near != NULL) {
		fault_hint(why, "did you mean \"%s\"?", near);
		return;
	}
	for (; names[n] != NULL && n < HINT_ALL_MAX && at < sizeof list; n++)
		at += (size_t)snprintf(list + at, sizeof list - at, "%s%s",
		    n > 0 ? ", " : "", names[n]);
	if (n > 0 && names[n] == NULL)
		fault_hint(why, "there %s: %s", n > 1 ? "are" : "is", list);
}

/* --- objects --- */

static const char *
type_name(const json_t *v)
{
	static const char *const	names[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
		[JSON_INTEGER] = "an integer", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
		[JSON_FALSE] = "false", [JSON_NULL] = "null",
	};

	return v == NULL ? "nothing" : names[json_typeof(v)];
}

enum status
decode_refuse_type(const struct node *n, const char *wanted, struct fault *why)
{
	return decode_refuse(n, NULL, why, "must be %s, not %s", wanted, type_name(n->value));
}

enum status
decode_object(const struct node *n, struct fault *why)
{
	return json_is_object(n->value) ? ST_OK : decode_refuse_type(n, "an object", why);
}

struct node
decode_member(const struct node *n, const char *name)
{
	return (struct node){ .up = n, .name = name, .value = json_object_get(n->value, name) };
}

struct node
decode_element(const struct node *n, size_t index)
{
	return (struct node){ .up = n, .index = index, .value = json_array_get(n->value, index) };
}

/* --- scalars --- */

enum status
decode_text(const struct node *n, size_t max_bytes, char **out, struct fault *why)
{
	const char	*text = json_string_value(n->value);
	size_t		 bytes = json_string_length(n->value);

	if (text == NULL)
		return decode_refuse_type(n, "a string", why);
	if (bytes > max_bytes)
		return decode_refuse(n, NULL, why, "is %zu bytes long; at most %zu are allowed",
		    bytes, max_bytes);
	if (strlen(text) != bytes)
		return decode_refuse(n, NULL, why, "must not contain a NUL character");
	free(*out);
	if ((*out = strdup(text)) == NULL)
		return fault_set(why, ST_NOMEM, "text");
	return ST_OK;
}

static enum status
check_character(const struct node *n, uint32_t code, size_t place, struct fault *why)
{
	const bool	is_control = code < ' ' || (code >= 0x7f && code < 0xa0);

	if (!is_control && !utf8_is_unseen(code))
		return ST_OK;
	return decode_refuse(n, NULL, why, "must not contain %s: its character %zu is U+%04X",
	    is_control ? "control characters" : "characters that reorder or hide text", place,
	    code);
}

enum status
decode_label(const struct node *n, size_t max_bytes, char **out, struct fault *why)
{
	enum status	st = decode_text(n, max_bytes, out, why);
	size_t		bytes, place = 1;

	if (st != ST_OK)
		return st;
	for (const char *s = *out; *s != '\0'; s += bytes, place++) {
		if ((bytes = utf8_bytes(s, UTF8_MOST)) == 0)
			return decode_refuse(n, NULL, why, "must be UTF-8");
		if ((st = check_character(n, utf8_code(s, bytes), place, why)) != ST_OK)
			return st;
	}
	return ST_OK;
}

/* 4.0 is an integer to JSON Schema, and so it is here. */
static bool
integer_of(const json_t *v, int64_t *out)
{
	double	r = json_real_value(v);

	if (json_is_integer(v)) {
		*out = json_integer_value(v);
		return true;
	}
	if (!json_is_real(v) || !(fabs(r) <= 0x1p53) || r != floor(r))
		return false;
	*out = (int64_t)r;
	return true;
}

enum status
decode_integer(const struct node *n, int64_t min, int64_t max, int64_t *out, struct fault *why)
{
	int64_t	i;

	if (!integer_of(n->value, &i))
		return decode_refuse_type(n, "an integer", why);
	if (i < min || i > max)
		return decode_refuse(n, NULL, why,
		    "is %" PRId64 "; %" PRId64 " to %" PRId64 " is allowed", i, min, max);
	*out = i;
	return ST_OK;
}

enum status
decode_size(const struct node *n, uint64_t min, uint64_t max, uint64_t *out, struct fault *why)
{
	int64_t		i;
	enum status	st;

	if ((st = decode_integer(n, (int64_t)min, (int64_t)max, &i, why)) != ST_OK)
		return st;
	*out = (uint64_t)i;
	return ST_OK;
}

enum status
decode_real(const struct node *n, double min, double max, double *out, struct fault *why)
{
	double	r = json_number_value(n->value);

	if (!json_is_number(n->value))
		return decode_refuse_type(n, "a number", why);
	if (!(r >= min && r <= max))
		return decode_refuse(n, NULL, why, "is %g; %g to %g is allowed", r, min, max);
	*out = r;
	return ST_OK;
}

enum status
decode_word(const struct node *n, const char *const *words, unsigned *out, struct fault *why)
{
	const char	*text = json_string_value(n->value);
	enum status	 st;

	if (text == NULL) {
		st = decode_refuse_type(n, "a string", why);
		decode_hint(why, "", words);
		return st;
	}
	for (unsigned i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], text) == 0) {
			*out = i;
			return ST_OK;
		}
	}
	st = decode_refuse(n, NULL, why, "\"%.60s\" is not known here", text);
	decode_hint(why, text, words);
	return st;
}

_Static_assert(sizeof(enum status) == sizeof(unsigned), "an enumeration is as wide as an unsigned");

enum status
decode_enum(const struct node *n, const char *const *words, void *out, struct fault *why)
{
	unsigned	word;
	enum status	st = decode_word(n, words, &word, why);

	if (st == ST_OK)
		memcpy(out, &word, sizeof word);
	return st;
}

void
decode_put_real(double r, char *buf, size_t bytes)
{
	for (int digits = 15; digits <= 17; digits++) {
		(void)snprintf(buf, bytes, "%.*g", digits, r);
		if (strtod(buf, NULL) == r)
			break;
	}
	if (strpbrk(buf, ".e") == NULL && strlen(buf) + 2 < bytes)
		strcat(buf, ".0");
}

enum status
decode_base64(const struct node *n, size_t max_bytes, char **out, size_t *bytes, struct fault *why)
{
	const char	*text = json_string_value(n->value);
	size_t		 length = json_string_length(n->value);
	enum status	 st;

	if (text == NULL)
		return decode_refuse_type(n, "a string of base64", why);
	if (base64_decoded_bytes(length) > max_bytes + 2)
		return decode_refuse(n, NULL, why,
		    "decodes to more than the %zu bytes allowed", max_bytes);
	free(*out);
	if ((st = base64_decode(out, bytes, text, length, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	if (*bytes > max_bytes)
		return decode_refuse(n, NULL, why,
		    "decodes to more than the %zu bytes allowed", max_bytes);
	return ST_OK;
}
