/* SPDX-License-Identifier: Apache-2.0 */
/* A variant: a source, and how it is compiled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/flags.h"
#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define DEFAULT_FLAG	"-O2"

static bool
is_built(const struct variant *v)
{
	return language_is_binary(v->language);
}

static enum status
refuse_for_built(const struct variant *v, const struct node *n, struct fault *why)
{
	enum status	st;

	st = decode_refuse(n, NULL, why, "means nothing for \"%s\": it is built already",
	    language_name(v->language));
	fault_hint(why, "leave it out, or hand in the source");
	return st;
}

static enum status
get_source(void *out, const struct node *n, struct fault *why)
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
check_compiler(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	enum status	 st;

	if (n->value == NULL) {
		v->compiler = strdup(compiler_default(v->language));
		return v->compiler != NULL ? ST_OK : fault_set(why, ST_NOMEM, "compiler");
	}
	if (is_built(v))
		return refuse_for_built(v, n, why);
	if ((st = compiler_check(v->language, v->compiler, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}

/* ---- flags ---- */

static enum status
set_default_flag(struct variant *v, struct fault *why)
{
	if ((v->flags = calloc(1, sizeof *v->flags)) == NULL ||
	    (v->flags[0] = strdup(DEFAULT_FLAG)) == NULL)
		return fault_set(why, ST_NOMEM, "flags");
	v->nflags = 1;
	return ST_OK;
}

static enum status
add_flag(struct variant *v, const struct node *n, struct fault *why)
{
	char		**flag = &v->flags[v->nflags++];
	enum status	  st;

	if ((st = decode_label(n, SPEC_MAX_TEXT, flag, why)) != ST_OK)
		return st;
	if ((st = flag_check(*flag, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}

static enum status
get_flags(void *out, const struct node *n, struct fault *why)
{
	struct variant	*v = out;
	size_t		 count = json_array_size(n->value);
	enum status	 st = ST_OK;

	if (n->value == NULL)
		return is_built(v) ? ST_OK : set_default_flag(v, why);
	if (is_built(v))
		return refuse_for_built(v, n, why);
	if (!json_is_array(n->value))
		return decode_refuse(n, NULL, why, "must be an array of strings, one flag each");
	if (count > SPEC_MAX_FLAGS)
		return decode_refuse(n, NULL, why, "has %zu flags; at most %d are allowed", count,
		    SPEC_MAX_FLAGS);
	if ((v->flags = calloc(count + 1, sizeof *v->flags)) == NULL)
		return fault_set(why, ST_NOMEM, "flags");
	for (size_t i = 0; i < count && st == ST_OK; i++) {
		struct node	flag = decode_element(n, i);

		st = add_flag(v, &flag, why);
	}
	return st;
}

/* ---- macros ---- */

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
		(void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT,
		    json_integer_value(n->value));
	else if (json_is_real(n->value))
		decode_put_real(json_real_value(n->value), number, sizeof number);
	else
		return decode_refuse(n, NULL, why,
		    "must be a number or a string: it becomes -D%s=value", n->name);
	out->text = strdup(number);
	return out->text != NULL ? ST_OK : fault_set(why, ST_NOMEM, "define");
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
get_defines(void *out, const struct node *n, struct fault *why)
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
		return decode_refuse(n, NULL, why, "has %zu members; at most %d are allowed", count,
		    SPEC_MAX_DEFINES);
	if ((v->defines = calloc(count + 1, sizeof *v->defines)) == NULL)
		return fault_set(why, ST_NOMEM, "defines");
	json_object_foreach((json_t *)(uintptr_t)n->value, name, value) {
		struct node	define = { .up = n, .name = name, .value = value };

		if ((st = add_define(v, &define, why)) != ST_OK)
			return st;
	}
	return ST_OK;
}

/* ---- the whole ---- */

#define ROW(member, ...) SHAPE_ROW(struct variant, member, __VA_ARGS__)
static const struct shape_row	flag_row = { .kind = SHAPE_LABEL, .most = SPEC_MAX_TEXT };
static const struct shape_row	define_row = { .kind = SHAPE_OWN, .most = SPEC_MAX_TEXT,
	.forms = FORM_TEXT | FORM_NUMBER };
static const struct shape_row	file_row = { .kind = SHAPE_OWN, .most = SPEC_MAX_SOURCE,
	.forms = FORM_TEXT, .of = &file_shape };
static const struct shape_row	library_row = { .kind = SHAPE_LABEL, .least = 1,
	.most = NAME_MAX_BYTES };
static const struct shape_row	variant_rows[] = {
	ROW(name, SHAPE_LABEL, .most = SPEC_MAX_NAME, .preset_text = ""),
	ROW(language, SHAPE_WORD, .words = words_language, SHAPE_DEFAULT(LANG_C)),
	ROW(source, SHAPE_OWN, .get = get_source, .required = true, .forms = FORM_TEXT, .least = 1,
	    .most = SPEC_MAX_SOURCE),
	ROW(compiler, SHAPE_LABEL, .most = SPEC_MAX_NAME, .check = check_compiler, .always = true),
	ROW(flags, SHAPE_OWN, .get = get_flags, .always = true, .forms = FORM_LIST,
	    .most = SPEC_MAX_FLAGS, .each = &flag_row, .preset_text = "[\"" DEFAULT_FLAG "\"]"),
	ROW(defines, SHAPE_OWN, .get = get_defines, .forms = FORM_MAP, .most = SPEC_MAX_DEFINES,
	    .each = &define_row),
	ROW(files, SHAPE_OWN, .get = spec_get_files, .forms = FORM_MAP, .most = SPEC_MAX_FILES,
	    .each = &file_row),
	ROW(libraries, SHAPE_OWN, .get = spec_get_libraries, .forms = FORM_LIST,
	    .most = SPEC_MAX_LIBRARIES, .each = &library_row),
};
const struct shape	variant_shape = SHAPE_OF(struct variant, variant_rows);

void
spec_release_variant(struct variant *v)
{
	for (size_t i = 0; i < v->nflags; i++)
		free(v->flags[i]);
	for (size_t i = 0; i < v->ndefines; i++) {
		free(v->defines[i].name);
		free(v->defines[i].text);
	}
	spec_release_files(v);
	free(v->flags);
	free(v->defines);
	free(v->compiler);
	free(v->source);
	free(v->name);
}
