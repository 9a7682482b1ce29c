/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/host/host_fitness.h"
#include "client/print/format.h"
#include "client/print/member.h"

enum { LINE_BYTES = 1024 };

void
host_fitness_print_grade(const json_t *fitness)
{
	char	line[LINE_BYTES];

	(void)snprintf(line, sizeof line, "%s, %s, partition %s, state %s",
	    member_text(fitness, "grade"), json_is_true(json_object_get(fitness, "tuned")) ?
	    "held by assay-hostd" : "not held by assay-hostd", member_text(fitness, "partition"),
	    member_text(fitness, "hash"));
	(void)printf("%s\n", format_clean(line, false));
}

static bool
has_status(const json_t *knob, const char *word)
{
	return strcmp(member_text(knob, "status"), word) == 0;
}

static bool
is_amiss(const json_t *knob)
{
	return !has_status(knob, "already") && !has_status(knob, "set") &&
	    !has_status(knob, "absent");
}

/* " governor: not_taken, found powersave, wanted performance", and the remedy below. */
static void
print_knob(const json_t *knob)
{
	const char	*found = member_text(knob, "found"), *wanted = member_text(knob, "wanted");
	char		 line[LINE_BYTES];

	(void)snprintf(line, sizeof line, "%s: %s%s%s%s%s", member_text(knob, "name"),
	    member_text(knob, "status"), found[0] != '\0' ? ", found " : "", found,
	    wanted[0] != '\0' ? ", wanted " : "", wanted);
	(void)printf("  %s\n", format_clean(line, false));
	(void)snprintf(line, sizeof line, "%s", member_text(knob, "remedy"));
	if (line[0] != '\0')
		(void)printf("      %s\n", format_clean(line, false));
}

static void
print_knobs(const json_t *knobs)
{
	const json_t	*knob;
	size_t		 i, amiss = 0, absent = 0;

	json_array_foreach(knobs, i, knob) {
		amiss += is_amiss(knob);
		absent += has_status(knob, "absent");
	}
	if (amiss == 0)
		return;
	(void)printf("\n%zu of %zu knobs not as timing wants them, and what to do "
	    "(%zu are absent here; --json lists all)\n", amiss, json_array_size(knobs), absent);
	json_array_foreach(knobs, i, knob)
		if (is_amiss(knob))
			print_knob(knob);
}

void
host_fitness_print_sentences(const json_t *sentences, const char *noun, const char *about)
{
	const json_t	*sentence;
	size_t		 i;
	char		 line[LINE_BYTES];

	if (json_array_size(sentences) > 0)
		(void)printf("\n%zu %s%s%s\n", json_array_size(sentences), noun,
		    json_array_size(sentences) == 1 ? "" : "s", about);
	json_array_foreach(sentences, i, sentence) {
		(void)snprintf(line, sizeof line, "%s",
		    json_is_string(sentence) ? json_string_value(sentence) : "?");
		(void)printf("  ! %s\n", format_clean(line, false));
	}
}

void
host_fitness_print_remedies(const json_t *fitness)
{
	host_fitness_print_sentences(json_object_get(fitness, "reasons"), "reason",
	    " why the host is not fitter");
	host_fitness_print_sentences(json_object_get(json_object_get(fitness, "container"), "lost"),
	    "limit", " of the container");
	print_knobs(json_object_get(fitness, "knobs"));
}
