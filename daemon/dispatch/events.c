/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/dispatch/events.h"

/* "pmu::EVENT:unit" is EVENT, in capitals as libpfm lists it. */
static void
plain_name(const char *counter, char name[SPEC_COUNTER_BYTES])
{
	const char	*behind = strstr(counter, "::");
	size_t		 n;

	(void)snprintf(name, SPEC_COUNTER_BYTES, "%s", behind != NULL ? behind + 2 : counter);
	n = strcspn(name, ":");
	name[n] = '\0';
	for (size_t i = 0; i < n; i++)
		name[i] = (char)toupper((unsigned char)name[i]);
}

static bool
is_known(const json_t *known, const char *name)
{
	const json_t	*one;
	size_t		 i;

	json_array_foreach(known, i, one)
		if (strcasecmp(json_string_value(one), name) == 0)
			return true;
	return false;
}

static void
hint_nearest(const json_t *known, const char *name, struct fault *why)
{
	size_t		 n = json_array_size(known);
	const char	**names = calloc(n + 1, sizeof *names), *near;

	if (names == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		names[i] = json_string_value(json_array_get(known, i));
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	else
		fault_hint(why, "assay host --json lists the %zu there are", n);
	free(names);
}

enum status
events_check(const json_t *known, const struct spec *s, struct fault *why)
{
	char		name[SPEC_COUNTER_BYTES], place[64];
	enum status	st;

	for (unsigned i = 0; json_array_size(known) > 0 && i < s->timing.ncounters; i++) {
		plain_name(s->timing.counters[i], name);
		if (spec_is_energy(s->timing.counters[i]) || is_known(known, name))
			continue;
		(void)snprintf(place, sizeof place, "spec.timing.counters[%u]", i);
		st = fault_at(why, ST_BAD_SPEC, place, "this host has no event \"%s\"",
		    s->timing.counters[i]);
		hint_nearest(known, name, why);
		return st;
	}
	return ST_OK;
}
