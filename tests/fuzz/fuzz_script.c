/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scripts of transformations.  What is accepted has as many points as it says, each with a name;
 * what is refused has a place and a reason.
 */
#include <stdlib.h>
#include <string.h>

#include "client/transform/script/script.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_WALKED = 300 };

static void
walk(struct script *s)
{
	struct fault	why;
	int64_t		numbers[SCRIPT_MAX_ITEMS];
	size_t		points = 0, n;
	bool		wanted;

	script_first(s);
	do {
		must(script_is_wanted(s, &wanted, &why) == ST_OK || why.member[0] != '\0');
		must((script_point(s)[0] != '\0') == (s->nparams > 0));
		for (size_t i = 0; i < s->nsteps && points < 4; i++) {
			(void)script_fill(s, s->steps[i].text);
			if (script_numbers(s, &s->steps[i], s->steps[i].text, numbers, &n,
			    &why) != ST_OK)
				must(why.text[0] != '\0');
		}
	} while (script_next(s) && ++points < MOST_WALKED);
	must(points >= MOST_WALKED || points + 1 == s->npoints);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const	 words[] = { "tile", "swap", "jam", "pragma", NULL };
	struct arena			*a = arena_new();
	struct script			 s = { .nfixed = 0 };
	struct fault			 why = { .text = "" };
	char				*text = malloc(size + 1);

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (script_parse(&s, a, "script", text, size, words, &why) == ST_OK)
		walk(&s);
	else
		must(strncmp(why.member, "script:", 7) == 0 && why.text[0] != '\0');
	script_release(&s);
	arena_free(a);
	free(text);
	return 0;
}
