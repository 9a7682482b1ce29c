/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/search/call_times.h"

static const struct {
	const char	*name;
	double		 ns;
} units[] = {
	{ "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "\xc2\xb5s", 1e3 }, { "\xce\xbcs", 1e3 },
	{ "ms", 1e6 }, { "s", 1e9 },
};
enum { NUNITS = sizeof units / sizeof units[0] };

enum status
call_times_parse_one(const char *text, double *ns, struct fault *why)
{
	char	*end;
	double	 value = strtod(text, &end);
	size_t	 n;

	end += end != text ? strspn(end, " \t") : 0;
	n = strcspn(end, " \t\r");
	for (unsigned i = 0; end != text && i < NUNITS; i++) {
		if (strlen(units[i].name) != n || strncmp(units[i].name, end, n) != 0)
			continue;
		*ns = value * units[i].ns;
		if (end[n + strspn(end + n, " \t\r")] == '\0' && *ns > 0 && !isinf(*ns))
			return ST_OK;
	}
	(void)fault_set(why, ST_BAD_REQUEST, "\"%.40s\" is no time", text);
	fault_hint(why, "a number and ns, us, ms or s: 12.3us; nanoseconds without a unit");
	return ST_BAD_REQUEST;
}

static enum status
parse_element(const json_t *v, size_t i, double *ns, struct fault *why)
{
	if (json_is_string(v))
		return call_times_parse_one(json_string_value(v), ns, why);
	*ns = json_number_value(v);
	return *ns > 0 ? ST_OK :
	    fault_set(why, ST_BAD_REQUEST, "element %zu is no time", i + 1);
}

static enum status
parse_json(const char *text, double *ns, size_t *n, struct fault *why)
{
	json_error_t	 error;
	json_t		*doc = json_loads(text, 0, &error);
	const json_t	*list = json_is_object(doc) ? json_object_get(doc, "calls_ns") : doc;
	enum status	 st = ST_OK;

	if (doc == NULL)
		st = fault_set(why, ST_BAD_REQUEST, "line %d: %s", error.line, error.text);
	else if (!json_is_array(list))
		st = fault_set(why, ST_BAD_REQUEST, "is an object without an array calls_ns");
	for (size_t i = 0; st == ST_OK && i < json_array_size(list); i++)
		st = parse_element(json_array_get(list, i), i, &ns[(*n)++], why);
	json_decref(doc);
	return st;
}

static enum status
parse_lines(char *text, double *ns, size_t *n, struct fault *why)
{
	enum status	st = ST_OK;
	size_t		line = 1;

	for (char *s = text, *next; st == ST_OK && s != NULL; s = next, line++) {
		if ((next = strchr(s, '\n')) != NULL)
			*next++ = '\0';
		s[strcspn(s, "#")] = '\0';
		s += strspn(s, " \t\r");
		if (*s != '\0' && (st = call_times_parse_one(s, &ns[*n], why)) == ST_OK)
			++*n;
	}
	if (st != ST_OK) {
		char	place[32];

		(void)snprintf(place, sizeof place, "line %zu", line - 1);
		(void)fault_within(why, place);
	}
	return st;
}

/* A text has at most one time in two bytes. */
enum status
call_times_parse(const char *text, double **ns, size_t *n, struct fault *why)
{
	char		*copy = strdup(text), first = text[strspn(text, " \t\r\n")];
	enum status	 st;

	*n = 0;
	*ns = calloc(strlen(text) / 2 + 2, sizeof **ns);
	if (copy == NULL || *ns == NULL)
		st = fault_set(why, ST_NOMEM, "times");
	else if (first == '[' || first == '{')
		st = parse_json(text, *ns, n, why);
	else
		st = parse_lines(copy, *ns, n, why);
	free(copy);
	if (st != ST_OK) {
		free(*ns);
		*ns = NULL;
	}
	return st;
}
