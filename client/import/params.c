/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/params.h"
#include "proto/base/name.h"

enum { NUMBER_BYTES = 64 };

enum status
params_init(struct params *p, struct fault *why)
{
	p->values = json_object();
	p->names = json_object();
	return p->values != NULL && p->names != NULL ? ST_OK : fault_set(why, ST_NOMEM, "params");
}

void
params_release(struct params *p)
{
	json_decref(p->values);
	json_decref(p->names);
	*p = (struct params){ NULL, NULL };
}

const char *
params_find(const struct params *p, struct span name)
{
	return json_string_value(json_object_getn(p->names, name.at, name.n));
}

/* A name that is free, and that a param may have. */
static enum status
choose_name(const struct params *p, struct foreign *s, struct span name,
    char made[NAME_MAX_BYTES + 1], struct fault *why)
{
	struct fault	unused;
	struct span	stem = name;

	if (name.n + 2 > NAME_MAX_BYTES)
		return foreign_fault(s, name.at, why, "a name has at most %d bytes",
		    NAME_MAX_BYTES - 2);
	(void)snprintf(made, NAME_MAX_BYTES + 1, "%.*s", SPAN_ARGS(name));
	if (name_check_param(made, &unused) == ST_OK && json_object_get(p->values, made) == NULL)
		return ST_OK;
	while (stem.n > 1 && *stem.at == '_')
		stem = (struct span){ stem.at + 1, stem.n - 1 };
	(void)snprintf(made, NAME_MAX_BYTES + 1, "%.*s_", SPAN_ARGS(stem));
	if (name_check_param(made, why) != ST_OK || json_object_get(p->values, made) != NULL)
		(void)snprintf(made, NAME_MAX_BYTES + 1, "P%.*s_", SPAN_ARGS(stem));
	if (name_check_param(made, why) != ST_OK || json_object_get(p->values, made) != NULL) {
		(void)foreign_fault(s, name.at, why, "no param can be named after \"%.*s\"",
		    SPAN_ARGS(name));
		fault_hint(why, "give it another name");
		return ST_BAD_SPEC;
	}
	foreign_remark(s, name.at, "the param for %.*s is named %s; sources that use the old name "
	    "need -D", SPAN_ARGS(name), made);
	return ST_OK;
}

/* A whole number, else a real one; NULL: neither. */
static json_t *
number_of(struct span s)
{
	char		 text[NUMBER_BYTES], *end;
	long long	 whole;
	double		 real;

	if (s.n == 0 || s.n >= sizeof text)
		return NULL;
	(void)snprintf(text, sizeof text, "%.*s", SPAN_ARGS(s));
	errno = 0;
	whole = strtoll(text, &end, 0);
	if (end != text && *end == '\0' && errno == 0)
		return json_integer(whole);
	real = strtod(text, &end);
	return end != text && end[strspn(end, "fFlLuU")] == '\0' ? json_real(real) : NULL;
}

static void
note_other_value(const struct params *p, struct foreign *s, struct span name, const char *made,
    json_t *value)
{
	if (!json_equal(json_object_get(p->values, made), value))
		foreign_remark(s, name.at, "%.*s has another value before; the first one holds",
		    SPAN_ARGS(name));
	json_decref(value);
}

enum status
params_add(struct params *p, struct foreign *s, struct span name, struct span number,
    const char **made, struct fault *why)
{
	char		 chosen[NAME_MAX_BYTES + 1];
	json_t		*value = number_of(number);
	enum status	 st;

	if (value == NULL) {
		(void)foreign_fault(s, number.at, why, "the value of %.*s must be a number",
		    SPAN_ARGS(name));
		fault_hint(why, "write it as 72 or 0.5");
		return ST_BAD_SPEC;
	}
	if ((*made = params_find(p, name)) != NULL) {
		note_other_value(p, s, name, *made, value);
		return ST_OK;
	}
	if ((st = choose_name(p, s, name, chosen, why)) != ST_OK) {
		json_decref(value);
		return st;
	}
	(void)json_object_set_new(p->values, chosen, value);
	(void)json_object_setn_new(p->names, name.at, name.n, json_string(chosen));
	*made = params_find(p, name);
	return ST_OK;
}
