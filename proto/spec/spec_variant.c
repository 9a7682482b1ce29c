/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/flags.h"
#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

static bool
is_built(const struct variant *v)
{
	return v->language == LANG_OBJECT || v->language == LANG_SHARED;
}

static enum status
refuse_for_built(const struct variant *v, const struct node *n, struct fault *why)
{
	enum status	st;

	st = decode_refuse(n, NULL, why, "means nothing for \"%s\": it is built already", language_name(v->language));
	fault_hint(why, "leave it out, or hand in the source");
	return st;
}

static enum status
decode_name(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;

	return decode_label(n, SPEC_MAX_NAME, &v->name, why);
}

static enum status
decode_language(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;

	return decode_enum(n, words_language, &v->language, why);
}

static enum status
decode_source(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	enum status	 st;

	if (is_built(v))
		st = decode_base64(n, SPEC_MAX_SOURCE, &v->source, &v->source_bytes, why);
	else if ((st = decode_text(n, SPEC_MAX_SOURCE, &v->source, why)) == ST_OK)
		v->source_bytes = strlen(v->source);
	if (st == ST_OK && v->source_bytes == 0)
		return decode_refuse(n, NULL, why, "is empty");
	return st;
}

static enum status
decode_compiler(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	enum status	 st;

	if (is_built(v))
		return refuse_for_built(v, n, why);
	if ((st = decode_label(n, SPEC_MAX_NAME, &v->compiler, why)) != ST_OK)
		return st;
	if ((st = compiler_check(v->language, v->compiler, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}

static enum status
decode_flag(struct variant *v, const struct node *n, struct fault *why)
{
	char		**flag = &v->flags[v->nflags++];
	enum status	 st;

	if ((st = decode_label(n, SPEC_MAX_TEXT, flag, why)) != ST_OK)
		return st;
	if ((st = flag_check(*flag, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}

static enum status
decode_flags(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	size_t		 count = json_array_size(n->value);
	enum status	 st = ST_OK;

	if (is_built(v))
		return refuse_for_built(v, n, why);
	if (!json_is_array(n->value))
		return decode_refuse(n, NULL, why, "must be an array of strings, one flag each");
	if (count > SPEC_MAX_FLAGS)
		return decode_refuse(n, NULL, why, "has %zu flags; at most %d are allowed", count, SPEC_MAX_FLAGS);
	if ((v->flags = calloc(count + 1, sizeof *v->flags)) == NULL)
		return fault_set(why, ST_NOMEM, "flags");
	for (size_t i = 0; i < count && st == ST_OK; i++) {
		struct node	flag = decode_element(n, i);

		st = decode_flag(v, &flag, why);
	}
	return st;
}

enum status
spec_decode_define(const struct node *n, struct define *out, struct fault *why)
{
	char	number[48];

	if (json_is_string(n->value)) {
		enum status	st = decode_text(n, SPEC_MAX_TEXT, &out->text, why);

		if (st == ST_OK && !name_is_printable(out->text))
			return decode_refuse(n, NULL, why, "must be printable ASCII");
		return st;
	}
	if (json_is_integer(n->value))
		(void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(n->value));
	else if (json_is_real(n->value))
		decode_put_real(json_real_value(n->value), number, sizeof number);
	else
		return decode_refuse(n, NULL, why, "must be a number or a string: it becomes -D%s=value", n->name);
	return (out->text = strdup(number)) != NULL ? ST_OK : fault_set(why, ST_NOMEM, "define");
}

static enum status
add_define(struct variant *v, const struct node *n, struct fault *why)
{
	struct define	*d = &v->defines[v->ndefines];
	enum status	 st;

	if ((st = name_check_define(n->name, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	v->ndefines++;
	if ((d->name = strdup(n->name)) == NULL)
		return fault_set(why, ST_NOMEM, "define");
	return spec_decode_define(n, d, why);
}

static enum status
decode_defines(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	size_t		 count = json_object_size(n->value);
	const char	*name;
	json_t		*value;
	enum status	 st;

	if (is_built(v))
		return refuse_for_built(v, n, why);
	if ((st = decode_object(n, why)) != ST_OK)
		return st;
	if (count > SPEC_MAX_DEFINES)
		return decode_refuse(n, NULL, why, "has %zu members; at most %d are allowed", count, SPEC_MAX_DEFINES);
	if ((v->defines = calloc(count + 1, sizeof *v->defines)) == NULL)
		return fault_set(why, ST_NOMEM, "defines");
	json_object_foreach((json_t *)n->value, name, value) {
		struct node	define = { .up = n, .name = name, .value = value };

		if ((st = add_define(v, &define, why)) != ST_OK)
			return st;
	}
	return ST_OK;
}

/* What was not given. */
static enum status
set_defaults(struct variant *v, struct fault *why)
{
	if (v->name == NULL && (v->name = strdup("")) == NULL)
		return fault_set(why, ST_NOMEM, "name");
	if (v->compiler == NULL && (v->compiler = strdup(compiler_default(v->language))) == NULL)
		return fault_set(why, ST_NOMEM, "compiler");
	if (v->flags != NULL || is_built(v))
		return ST_OK;
	if ((v->flags = calloc(2, sizeof *v->flags)) == NULL || (v->flags[0] = strdup("-O2")) == NULL)
		return fault_set(why, ST_NOMEM, "flags");
	v->nflags = 1;
	return ST_OK;
}

enum status
spec_decode_variant(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "name", decode_name, false },
		{ "language", decode_language, false },		/* before what depends on it */
		{ "source", decode_source, true },
		{ "compiler", decode_compiler, false },
		{ "flags", decode_flags, false },
		{ "defines", decode_defines, false },
		{ NULL, NULL, false }
	};
	enum status	st;

	if ((st = decode_members(n, members, out, why)) != ST_OK)
		return st;
	return set_defaults(out, why);
}

void
spec_release_variant(struct variant *v)
{
	for (size_t i = 0; i < v->nflags; i++)
		free(v->flags[i]);
	for (size_t i = 0; i < v->ndefines; i++) {
		free(v->defines[i].name);
		free(v->defines[i].text);
	}
	free(v->flags);
	free(v->defines);
	free(v->compiler);
	free(v->source);
	free(v->name);
}

/* --- together with the spec --- */

static const struct param *
param_called(const struct spec *s, const char *name, size_t length)
{
	for (size_t i = 0; i < s->nparams; i++)
		if (strlen(s->params[i].name) == length && memcmp(s->params[i].name, name, length) == 0)
			return &s->params[i];
	return NULL;
}

static enum status
refuse_macro(const struct node *n, const struct param *p, struct fault *why)
{
	enum status	st;

	st = decode_refuse(n, NULL, why, "\"%s\" is one of the spec's params, which every variant shares", p->name);
	fault_hint(why, "change it in spec.params, or choose another name");
	return st;
}

/* A variant that changed a param for itself would be timed against a driver that has the other value. */
enum status
spec_check_macros(const struct spec *s, const struct variant *v, const struct node *n, struct fault *why)
{
	struct node		 defines = { .up = n, .name = "defines" }, flags = { .up = n, .name = "flags" };
	const struct param	*p;

	for (size_t i = 0; i < v->ndefines; i++) {
		struct node	define = { .up = &defines, .name = v->defines[i].name };

		if ((p = param_called(s, define.name, strlen(define.name))) != NULL)
			return refuse_macro(&define, p, why);
	}
	for (size_t i = 0; i < v->nflags; i++) {
		struct node	 flag = { .up = &flags, .index = i };
		const char	*text = v->flags[i];

		if ((name_starts(text, "-D") || name_starts(text, "-U")) &&
		    (p = param_called(s, text + 2, name_length(text + 2))) != NULL)
			return refuse_macro(&flag, p, why);
	}
	return ST_OK;
}
