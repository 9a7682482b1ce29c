/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/report/part.h"

#define LEARNED	1.03		/* the least ratio that matters */

bool
part_is(const char *text, const char *word)
{
	return text != NULL && strcmp(text, word) == 0;
}

bool
part_has_size(uint64_t n)
{
	return n != SHAPE_NO_SIZE;
}

bool
part_was_learnt(const struct result *r)
{
	const struct sample_evidence	*s = &r->found.evidence.sample;

	return s->has_learned_interval && s->learned_interval[0] > LEARNED &&
	    part_is(r->found.technique.rotation, "none");
}

const char *
part_off_reason(const char *state)
{
	return state != NULL && strncmp(state, "off: ", 5) == 0 ? state + 5 : NULL;
}

const char *
part_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void
part_add_wording(struct entry *e, const struct part_wording *of, const char *word)
{
	for (; word != NULL && of->word != NULL && strcmp(of->word, word) != 0; of++)
		continue;
	if (word != NULL)
		entry_clause(e, "%s", of->word != NULL ? of->text : word);
}
