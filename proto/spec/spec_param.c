/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"

/* --- params --- */

#define WORD_CHARACTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* A plain word: the same text to a compiler, to a shell and to a person. */
static bool
is_token(const char *s)
{
	return *s != '\0' && strchr(WORD_CHARACTERS, *s) != NULL &&
	    s[strspn(s, WORD_CHARACTERS ".+-")] == '\0';
}

static enum status
decode_param_text(const struct node *n, struct value *out, struct fault *why)
{
	char		*text = NULL;
	enum status	 st = decode_text(n, SPEC_MAX_TEXT, &text, why);

	out->kind = VALUE_TEXT;
	out->text = text;
	if (st != ST_OK || is_token(text))
		return st;
	st = decode_refuse(n, NULL, why, "\"%.60s\" is not a plain word", text);
	fault_hint(why, "letters, digits, _ . + -, starting with a letter, a digit or _");
	return st;
}

enum status
spec_decode_param(const struct node *n, struct param *out, struct fault *why)
{
	enum status	st;

	if ((st = name_check_param(n->name, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	if ((out->name = strdup(n->name)) == NULL)
		return fault_set(why, ST_NOMEM, "param");
	if (json_is_string(n->value))
		return decode_param_text(n, &out->value, why);
	if (!json_is_number(n->value))
		return decode_refuse(n, NULL, why, "must be an integer, a number or a string");
	out->value.kind = json_is_integer(n->value) ? VALUE_INT : VALUE_REAL;
	if (json_is_integer(n->value))
		out->value.i = json_integer_value(n->value);
	else
		out->value.r = json_real_value(n->value);
	return ST_OK;
}

void
spec_release_param(struct param *p)
{
	free(p->name);
	if (p->value.kind == VALUE_TEXT)
		free((char *)p->value.text);
}

static enum status
add_param(struct spec *s, const struct node *n, struct fault *why)
{
	if (strcmp(n->name, s->routine.name) == 0)
		return decode_refuse(n, NULL, why,
		    "has the name of the routine, which it would replace as a macro");
	return spec_decode_param(n, &s->params[s->nparams++], why);
}

enum status
spec_get_params(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	size_t		 count = json_object_size(n->value);
	const char	*name;
	json_t		*value;
	enum status	 st;

	if ((st = decode_object(n, why)) != ST_OK)
		return st;
	if (count > SPEC_MAX_PARAMS)
		return decode_refuse(n, NULL, why, "has %zu members; at most %d are allowed", count,
		    SPEC_MAX_PARAMS);
	if ((s->params = calloc(count + 1, sizeof *s->params)) == NULL)
		return fault_set(why, ST_NOMEM, "params");
	json_object_foreach((json_t *)n->value, name, value) {
		struct node	param = { .up = n, .name = name, .value = value };

		if ((st = add_param(s, &param, why)) != ST_OK)
			return st;
	}
	return ST_OK;
}

bool
spec_has_argument(const struct spec *s, const char *name)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (strcmp(s->routine.params[i].name, name) == 0)
			return true;
	return false;
}

bool
spec_param_is_argument(const struct spec *s, const struct param *p)
{
	return spec_has_argument(s, p->name);
}

size_t
param_put_text(const struct param *p, char *buf, size_t bytes)
{
	char	number[48];
	int	n;

	if (p->value.kind == VALUE_TEXT) {
		n = snprintf(buf, bytes, "%s", p->value.text);
	} else if (p->value.kind == VALUE_REAL) {
		decode_put_real(p->value.r, number, sizeof number);
		n = snprintf(buf, bytes, "%s", number);
	} else if (p->value.i == INT64_MIN) {
		n = snprintf(buf, bytes, "(-%" PRId64 "-1)", INT64_MAX);
	} else {
		n = snprintf(buf, bytes, "%" PRId64, p->value.i);
	}
	return n > 0 ? (size_t)n : 0;
}

/* --- expressions over them --- */

static bool
lookup_param(void *arg, const char *name, struct value *out)
{
	const struct spec	*s = arg;

	for (size_t i = 0; i < s->nparams; i++) {
		if (strcmp(s->params[i].name, name) == 0) {
			*out = s->params[i].value;
			return true;
		}
	}
	return false;
}

static void
hint_params(const struct spec *s, const char *name, struct fault *why)
{
	const char	*names[SPEC_MAX_PARAMS + 1];

	for (size_t i = 0; i < s->nparams; i++)
		names[i] = s->params[i].name;
	names[s->nparams] = NULL;
	if (spec_has_argument(s, name)) {
		fault_hint(why,
		    "an argument's value is not known here: give \"%s\" one in spec.params", name);
		return;
	}
	fault_hint(why, "spec.params has none");
	if (s->nparams > 0)
		decode_hint(why, name, names);
}

enum status
spec_eval(const struct spec *s, const struct node *n, const struct expr *e, struct value *out,
    struct fault *why)
{
	struct value	 ignored;
	const char	*name;
	enum status	 st;

	for (size_t i = 0; (name = expr_name(e, i)) != NULL; i++) {
		if (lookup_param((void *)s, name, &ignored))
			continue;
		st = decode_refuse(n, NULL, why, "there is no param \"%s\"", name);
		hint_params(s, name, why);
		return st;
	}
	if ((st = expr_eval(e, lookup_param, (void *)s, out, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}

/* --- values and types --- */

bool
spec_whole(const struct value *v, int64_t *out)
{
	if (v->kind == VALUE_INT) {
		*out = v->i;
		return true;
	}
	if (v->kind != VALUE_REAL || !(v->r >= -0x1p63 && v->r < 0x1p63) || v->r != floor(v->r))
		return false;
	*out = (int64_t)v->r;
	return true;
}

int64_t
spec_type_max(enum ctype t)
{
	unsigned	bits = 8 * (unsigned)ctype_bytes(t) - (ctype_class(t) == 'i');

	return t == CTYPE_BOOL ? 1 : bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

static int64_t
type_min(enum ctype t)
{
	return ctype_class(t) == 'i' ? -spec_type_max(t) - 1 : 0;
}

static enum status
fit_integer(const struct node *n, enum ctype t, struct value *v, struct fault *why)
{
	int64_t	i;

	if (!spec_whole(v, &i))
		return decode_refuse(n, NULL, why, "is %g, which is no value of %s", value_real(v),
		    ctype_name(t));
	if (i < type_min(t) || i > spec_type_max(t))
		return decode_refuse(n, NULL, why,
		    "is %" PRId64 ", which does not fit %s (%" PRId64 " to %" PRId64 ")", i,
		    ctype_name(t), type_min(t), spec_type_max(t));
	*v = (struct value){ .kind = VALUE_INT, .i = i };
	return ST_OK;
}

enum status
spec_fit(const struct node *n, enum ctype t, struct value *v, struct fault *why)
{
	double	r = value_real(v);

	if (ctype_class(t) == 'i' || ctype_class(t) == 'u')
		return fit_integer(n, t, v, why);
	if ((t == CTYPE_FLOAT || t == CTYPE_CFLOAT) && fabs(r) > (double)FLT_MAX)
		return decode_refuse(n, NULL, why, "is %g, which does not fit %s", r,
		    ctype_name(t));
	*v = (struct value){ .kind = VALUE_REAL, .r = r };
	return ST_OK;
}
