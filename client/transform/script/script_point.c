/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/script/script.h"
#include "proto/base/name.h"

void
script_first(struct script *s)
{
	for (size_t i = 0; i < s->nparams; i++)
		s->params[i].at = 0;
}

bool
script_next(struct script *s)
{
	for (size_t i = s->nparams; i-- > 0;) {
		if (++s->params[i].at < s->params[i].n)
			return true;
		s->params[i].at = 0;
	}
	return false;
}

static const char *
value_of(const struct script *s, const char *name, size_t bytes)
{
	for (size_t i = 0; i < s->nparams + s->nfixed; i++) {
		const struct script_param	*p = i < s->nparams ? &s->params[i] :
						    &s->fixed[i - s->nparams];

		if (strlen(p->name) == bytes && strncmp(p->name, name, bytes) == 0)
			return p->values[p->at];
	}
	return NULL;
}

static bool
look_up(void *arg, const char *name, struct value *out)
{
	const char	*text = value_of(arg, name, strlen(name));
	char		*end;

	if (text == NULL)
		return false;
	*out = (struct value){ .kind = VALUE_INT, .i = strtoll(text, &end, 10) };
	if (*end != '\0' || end == text)
		*out = (struct value){ .kind = VALUE_TEXT, .text = text };
	return true;
}

enum status
script_is_wanted(const struct script *s, bool *out, struct fault *why)
{
	struct script_step	 at = { .column = 1 };
	struct value		 v;
	enum status		 st;
	char			 text[sizeof why->text];

	*out = true;
	for (size_t i = 0; i < s->nwheres && *out; i++) {
		st = expr_eval(s->wheres[i].expr, look_up, (void *)(uintptr_t)s, &v, why);
		if (st != ST_OK) {
			at.line = s->wheres[i].line;
			memcpy(text, why->text, sizeof text);
			return script_refuse(s, &at, why, "at %s: %.500s", script_point(s), text);
		}
		*out = v.kind == VALUE_INT ? v.i != 0 : value_real(&v) != 0;
	}
	return ST_OK;
}

const char *
script_point(const struct script *s)
{
	const char	*text = "";

	for (size_t i = 0; i < s->nparams; i++)
		text = arena_format(s->arena, "%s%s%s=%s", text, i > 0 ? " " : "",
		    s->params[i].name, s->params[i].values[s->params[i].at]);
	return text;
}

const char *
script_fill(const struct script *s, const char *text)
{
	const char	*filled = "", *value;
	size_t		 n;

	while (*text != '\0') {
		n = name_length(text);
		value = n > 0 ? value_of(s, text, n) : NULL;
		n = n > 0 ? n : strspn(text, "0123456789");	/* 4B is no name */
		n = n > 0 ? n : 1;
		filled = arena_format(s->arena, "%s%.*s", filled, value != NULL ?
		    (int)strlen(value) : (int)n, value != NULL ? value : text);
		text += n;
	}
	return filled;
}

static enum status
read_number(const struct script *s, const struct script_step *step, const char *text,
    int64_t *out, struct fault *why)
{
	struct expr	*e = NULL;
	struct value	 v = { .kind = VALUE_REAL };
	char		 said[sizeof why->text];
	enum status	 st;

	if ((st = expr_parse(&e, text, why)) == ST_OK)
		st = expr_eval(e, look_up, (void *)(uintptr_t)s, &v, why);
	expr_free(e);
	if (st != ST_OK) {
		memcpy(said, why->text, sizeof said);
		return script_refuse(s, step, why, "%s: %.600s", text, said);
	}
	if (v.kind != VALUE_INT)
		return script_refuse(s, step, why, "%s is no integer", text);
	*out = v.i;
	return ST_OK;
}

enum status
script_numbers(const struct script *s, const struct script_step *step, const char *text,
    int64_t *out, size_t *n, struct fault *why)
{
	size_t		bytes;
	enum status	st = ST_OK;

	*n = 0;
	for (; st == ST_OK; text += bytes + 1) {
		bytes = strcspn(text, ",");
		if (*n == SCRIPT_MAX_ITEMS)
			return script_refuse(s, step, why, "more than %d numbers",
			    SCRIPT_MAX_ITEMS);
		st = read_number(s, step, arena_text(s->arena, text, bytes), &out[*n], why);
		++*n;
		if (text[bytes] == '\0')
			break;
	}
	return st;
}
