/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/view/params.h"
#include "proto/spec/spec.h"

enum { DAY_MS = 24 * 60 * 60 * 1000 };

static const struct api_param *
param_named(const struct api_param *table, const char *name)
{
	for (; table->name != NULL; table++)
		if (table->kind == PARAM_REST || strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

static enum status
unknown(const struct api_param *table, const char *name, struct fault *why)
{
	const char	*names[PARAMS_MAX + 1] = { NULL }, *nearest;
	enum status	 st;

	for (size_t i = 0; i < PARAMS_MAX && table[i].name != NULL; i++)
		names[i] = table[i].name;
	st = fault_at(why, ST_BAD_REQUEST, name, "unknown member");
	if ((nearest = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", nearest);
	else if (names[0] == NULL)
		fault_hint(why, "this call takes none");
	return st;
}

/* ---- types ---- */

static enum status
check_int(const struct api_param *p, const json_t *v, struct fault *why)
{
	if (json_is_integer(v) && json_integer_value(v) >= p->min &&
	    json_integer_value(v) <= p->max)
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, p->name,
	    "must be an integer from %" PRId64 " to %" PRId64, p->min, p->max);
}

static enum status
check_duration(const struct api_param *p, const json_t *v, struct fault *why)
{
	if (json_is_integer(v) && json_integer_value(v) >= p->min &&
	    json_integer_value(v) <= p->max)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, p->name, "must be a time of at most %" PRId64 "s",
	    p->max / 1000);
	fault_hint(why, "give a whole number and its unit: 500ms, 30s or 2m");
	return ST_BAD_REQUEST;
}

static enum status
check_number(const struct api_param *p, const json_t *v, struct fault *why)
{
	double	x = json_number_value(v);

	if (json_is_number(v) && x >= (double)p->min && x <= (double)p->max)
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, p->name,
	    "must be a number from %" PRId64 " to %" PRId64, p->min, p->max);
}

static enum status
check_text(const struct api_param *p, const json_t *v, struct fault *why)
{
	size_t	n = json_string_length(v);

	if (json_is_string(v) && n >= (size_t)p->min && n <= (size_t)p->max)
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, p->name,
	    "must be a string of %" PRId64 " to %" PRId64 " bytes", p->min, p->max);
}

static bool
is_id(const json_t *v)
{
	return json_is_integer(v) && json_integer_value(v) > 0;
}

static enum status
check_ids(const struct api_param *p, const json_t *v, struct fault *why)
{
	const json_t	*id;
	size_t		 i, n = json_array_size(v);

	if (!json_is_array(v) || n < (size_t)p->min || n > (size_t)p->max)
		return fault_at(why, ST_BAD_REQUEST, p->name,
		    "must be an array of %" PRId64 " to %" PRId64 " ids", p->min, p->max);
	json_array_foreach(v, i, id) {
		char	member[64];

		if (is_id(id))
			continue;
		(void)snprintf(member, sizeof member, "%s[%zu]", p->name, i);
		return fault_at(why, ST_BAD_REQUEST, member, "must be an id, an integer from 1");
	}
	return ST_OK;
}

static enum status
check_sweep(const struct api_param *p, const json_t *v, struct fault *why)
{
	size_t	n = json_string_length(v);

	if (is_id(v) || (json_is_string(v) && n > 0 && n <= PARAMS_NAME_BYTES))
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, p->name,
	    "must be a sweep's id, an integer from 1, or its name");
}

static enum status
check_user(const struct api_param *p, const json_t *v, struct fault *why)
{
	const size_t		n = json_string_length(v);
	const json_int_t	uid = json_integer_value(v);

	if ((json_is_integer(v) && uid >= 0 && uid < UINT32_MAX) ||
	    (json_is_string(v) && n > 0 && n <= PARAMS_NAME_BYTES))
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, p->name,
	    "must be a user's number, an integer from 0 to %" PRIu32 ", or its name",
	    UINT32_MAX - 1);
}

static enum status
check_array(const struct api_param *p, const json_t *v, struct fault *why)
{
	size_t	n = json_array_size(v);

	if (json_is_array(v) && n >= (size_t)p->min && n <= (size_t)p->max)
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, p->name,
	    "must be an array of %" PRId64 " to %" PRId64 " elements", p->min, p->max);
}

static enum status
check_one(const struct api_param *p, const json_t *v, struct fault *why)
{
	switch (p->kind) {
	case PARAM_BOOL:
		return json_is_boolean(v) ? ST_OK : fault_at(why, ST_BAD_REQUEST, p->name,
		    "must be true or false");
	case PARAM_INT:
		return check_int(p, v, why);
	case PARAM_NUMBER:
		return check_number(p, v, why);
	case PARAM_TEXT:
		return check_text(p, v, why);
	case PARAM_DURATION:
		return check_duration(p, v, why);
	case PARAM_ID:
		return is_id(v) ? ST_OK : fault_at(why, ST_BAD_REQUEST, p->name,
		    "must be an id, an integer from 1");
	case PARAM_IDS:
		return check_ids(p, v, why);
	case PARAM_SWEEP:
		return check_sweep(p, v, why);
	case PARAM_USER:
		return check_user(p, v, why);
	case PARAM_READERS:
		return spec_check_visibility(v, why) == ST_OK ? ST_OK :
		    (why->status = ST_BAD_REQUEST);
	case PARAM_OBJECT:
		return json_is_object(v) ? ST_OK : fault_at(why, ST_BAD_REQUEST, p->name,
		    "must be an object");
	case PARAM_ARRAY:
		return check_array(p, v, why);
	case PARAM_REST:
		return ST_OK;
	}
	return fault_at(why, ST_INTERNAL, p->name, "has no type");
}

enum status
params_check(const struct api_param *table, const json_t *params, struct fault *why)
{
	const char	*name;
	json_t		*v;
	enum status	 st;

	if (!json_is_object(params))
		return fault_at(why, ST_BAD_REQUEST, "params", "must be an object");
	json_object_foreach((json_t *)(uintptr_t)params, name, v) {
		const struct api_param	*p = param_named(table, name);

		if (p == NULL)
			return unknown(table, name, why);
		if ((st = check_one(p, v, why)) != ST_OK)
			return st;
	}
	for (; table->name != NULL; table++)
		if (table->required && json_object_get(params, table->name) == NULL)
			return fault_at(why, ST_BAD_REQUEST, table->name, "missing");
	return ST_OK;
}

enum status
params_one_of(const json_t *params, const char *a, const char *b, struct fault *why)
{
	bool	has_a = json_object_get(params, a) != NULL;
	bool	has_b = json_object_get(params, b) != NULL;

	if (has_a != has_b)
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, has_a ? b : a,
	    has_a ? "give \"%s\" or \"%s\", not both" : "missing: give \"%s\" or \"%s\"", a, b);
}

int64_t
params_int(const json_t *params, const char *name, int64_t otherwise)
{
	const json_t	*v = json_object_get(params, name);

	return v != NULL ? json_integer_value(v) : otherwise;
}

/* ---- query strings ---- */

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

enum status
params_unescape(char *text, bool plus_is_space, struct fault *why)
{
	char	*out = text;
	json_t	*valid;

	for (const char *in = text; *in != '\0'; in++) {
		int	high, low;

		if (*in != '%') {
			*out++ = plus_is_space && *in == '+' ? ' ' : *in;
			continue;
		}
		if ((high = hex_digit(in[1])) < 0 || (low = hex_digit(in[2])) < 0 ||
		    (high == 0 && low == 0))
			return fault_set(why, ST_BAD_REQUEST,
			    "\"%%\" must be followed by two hex digits other than 00");
		*out++ = (char)(high * 16 + low);
		in += 2;
	}
	*out = '\0';
	if ((valid = json_string(text)) == NULL)
		return fault_set(why, ST_BAD_REQUEST, "not UTF-8");
	json_decref(valid);
	return ST_OK;
}

static json_t *
integer_of(const char *text)
{
	char		*end;
	long long	 v;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || text[strspn(text, "-0123456789")] != '\0')
		return NULL;
	return json_integer(v);
}

static json_t *
number_of(const char *text)
{
	char	*end;
	double	 v = strtod(text, &end);
	json_t	*exact = integer_of(text);

	if (exact != NULL)
		return exact;
	if (end == text || *end != '\0' ||
	    text[strspn(text, "+-.0123456789eE")] != '\0' || !isfinite(v))
		return NULL;
	return json_real(v);
}

int64_t
params_duration_ms(const char *text)
{
	static const struct {
		const char	*name;
		int64_t		 ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 } };
	const size_t	digits = strspn(text, "0123456789");
	int64_t		n = digits > 0 && digits < 9 ? strtoll(text, NULL, 10) : -1;

	for (size_t i = 0; n >= 0 && i < sizeof units / sizeof units[0]; i++)
		if (strcmp(text + digits, units[i].name) == 0)
			return n * units[i].ms <= DAY_MS ? n * units[i].ms : -1;
	return -1;
}

static json_t *
ids_of(char *text)
{
	json_t	*ids = json_array(), *id;
	char	*save = NULL;

	for (char *w = strtok_r(text, ",", &save); w != NULL; w = strtok_r(NULL, ",", &save)) {
		if ((id = integer_of(w)) == NULL || json_array_append_new(ids, id) != 0) {
			json_decref(ids);
			return NULL;
		}
	}
	return ids;
}

/* NULL: it lacks the form of its kind. params_check judges the value. */
static json_t *
typed(const struct api_param *p, char *text)
{
	switch (p->kind) {
	case PARAM_BOOL:
		return strcmp(text, "true") == 0 ? json_true() : strcmp(text, "false") == 0 ?
		    json_false() : NULL;
	case PARAM_INT:
	case PARAM_ID:
		return integer_of(text);
	case PARAM_NUMBER:
		return number_of(text);
	case PARAM_DURATION:		/* params_check says what is wrong with -1 */
		return json_integer(params_duration_ms(text));
	case PARAM_SWEEP:
	case PARAM_USER:
		return text[strspn(text, "0123456789")] == '\0' ? integer_of(text) :
		    json_string(text);
	case PARAM_IDS:
		return ids_of(text);
	case PARAM_READERS:
		return spec_read_visibility(text);
	case PARAM_TEXT:
		return json_string(text);
	case PARAM_OBJECT:
	case PARAM_ARRAY:
	case PARAM_REST:
		break;
	}
	return NULL;
}

static enum status
add_pair(const struct api_param *table, char *pair, json_t *params, struct fault *why)
{
	char			*value = strchr(pair, '=');
	const struct api_param	*p;
	json_t			*v;

	if (value == NULL)
		return fault_set(why, ST_BAD_REQUEST,
		    "a query is name=value pairs joined by \"&\"");
	*value++ = '\0';
	if (params_unescape(pair, true, why) != ST_OK)
		return ST_BAD_REQUEST;
	if ((p = param_named(table, pair)) == NULL)
		return unknown(table, pair, why);
	if (params_unescape(value, true, why) != ST_OK)
		return fault_within(why, p->name);
	if (json_object_get(params, p->name) != NULL)
		return fault_at(why, ST_BAD_REQUEST, p->name, "given twice");
	if ((v = typed(p, value)) == NULL)
		return fault_at(why, ST_BAD_REQUEST, p->name,
		    p->kind == PARAM_BOOL ? "must be true or false" : p->kind == PARAM_IDS ?
		    "must be ids joined by \",\"" : "must be a number");
	if (json_object_set_new(params, p->name, v) != 0)
		return fault_set(why, ST_NOMEM, "query");
	return ST_OK;
}

enum status
params_from_query(const struct api_param *table, const char *query, json_t **params,
    struct fault *why)
{
	char		*text = strdup(query), *save = NULL;
	enum status	 st = ST_OK;

	*params = json_object();
	if (text == NULL || *params == NULL)
		st = fault_set(why, ST_NOMEM, "query");
	for (char *w = st == ST_OK ? strtok_r(text, "&", &save) : NULL; w != NULL && st == ST_OK;
	    w = strtok_r(NULL, "&", &save))
		st = add_pair(table, w, *params, why);
	free(text);
	if (st == ST_OK)
		st = params_check(table, *params, why);
	if (st != ST_OK) {
		json_decref(*params);
		*params = NULL;
	}
	return st;
}

/* ---- ids ---- */

static int
compare_ids(const void *a, const void *b)
{
	int64_t	x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void
params_sort_ids(int64_t *ids, size_t n)
{
	qsort(ids, n, sizeof *ids, compare_ids);
}

enum status
params_ids(const json_t *array, int64_t **ids, size_t *n, struct fault *why)
{
	const json_t	*id;
	size_t		 i, distinct = 0;

	*n = 0;
	if ((*ids = calloc(json_array_size(array) + 1, sizeof **ids)) == NULL)
		return fault_set(why, ST_NOMEM, "ids");
	json_array_foreach(array, i, id)
		(*ids)[i] = json_integer_value(id);
	params_sort_ids(*ids, json_array_size(array));
	for (i = 0; i < json_array_size(array); i++)
		if (i == 0 || (*ids)[i] != (*ids)[i - 1])
			(*ids)[distinct++] = (*ids)[i];
	*n = distinct;
	return ST_OK;
}

bool
params_has_id(const int64_t *ids, size_t n, int64_t id)
{
	return n != 0 && bsearch(&id, ids, n, sizeof *ids, compare_ids) != NULL;
}
