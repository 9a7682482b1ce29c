/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a compiler's driver prints, and counts of words as assay-jail takes them.  Steps that are
 * understood make a command line whose counts are its words.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "worker/build/recipe/steps.h"
#include "worker/jail/jail_steps.h"

static void
put_and_count(const struct steps *s)
{
	static const char *const	macros[] = { "-DN=1", "-DTEXT=./a b" };
	struct step_line		line;

	for (size_t n = 0; n <= 2; n++)
		if (steps_put(s, macros, n, &line))
			must(jail_steps_fit(line.counts, (char *const *)(uintptr_t)line.words));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char	 word[] = "word";
	char *const	 words[] = { word, word, word, NULL };
	char		*text = malloc(size + 1);
	struct steps	*s;
	struct fault	 why;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	(void)jail_steps_fit(text, words);
	if (steps_parse(&s, text, "out.so", &why) == ST_OK) {
		put_and_count(s);
		steps_free(s);
	} else {
		must(s == NULL && why.text[0] != '\0');
	}
	free(text);
	return 0;
}
