/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "proto/spec/spec_parts.h"

/* As libpfm spells them: "PERF_COUNT_HW_CPU_CYCLES", "clx::INSTRUCTION_RETIRED:u". */
#define LETTERS	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:.=-"

static enum status
decode_counter(struct timing *t, const struct node *n, struct fault *why)
{
	const char	*name = json_string_value(n->value);
	size_t		 length;

	if (name == NULL)
		return decode_refuse(n, NULL, why, "must be a string: the name of an event");
	length = strlen(name);
	if (length == 0 || length >= SPEC_COUNTER_BYTES || strspn(name, LETTERS) != length)
		return decode_refuse(n, NULL, why, "must be an event's name of 1 to %d letters, digits and _ : . = -",
		    SPEC_COUNTER_BYTES - 1);
	for (unsigned i = 0; i < t->ncounters; i++)
		if (strcmp(t->counters[i], name) == 0)
			return decode_refuse(n, NULL, why, "\"%s\" is named twice", name);
	memcpy(t->counters[t->ncounters++], name, length + 1);
	return ST_OK;
}

enum status
spec_decode_counters(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;
	size_t		 count = json_array_size(n->value);

	if (!json_is_array(n->value) || count == 0 || count > SPEC_MAX_COUNTERS)
		return decode_refuse(n, NULL, why, "must be a list of 1 to %d events", SPEC_MAX_COUNTERS);
	for (size_t i = 0; i < count; i++) {
		struct node	element = decode_element(n, i);
		enum status	st = decode_counter(t, &element, why);

		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

enum status
spec_check_counters(const struct timing *t, const struct node *timing, struct fault *why)
{
	enum status	st;

	if (t->ncounters == 0 || t->layout != LAYOUT_RANDOM)
		return ST_OK;
	st = decode_refuse(timing, "counters", why, "are read in one process, and layout: random has many");
	fault_hint(why, "leave counters out, or use another layout");
	return st;
}

json_t *
spec_encode_counters(const struct timing *t)
{
	json_t	*list = json_array();

	for (unsigned i = 0; list != NULL && i < t->ncounters; i++)
		if (json_array_append_new(list, json_string(t->counters[i])) != 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}
