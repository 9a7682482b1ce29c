/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources as a unit reads them: a byte for the language, the source, and each behind a NUL what the
 * macro U stands for, and a file beside the source of C, "inc/h.h".  A program of assembly that fits
 * has a text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "worker/build/unit/unit_fits.h"
#include "worker/build/unit/unit_text.h"

enum { VERSIONS = 2 };

static void
write_c(const struct job *job, const struct recipe *const *recipes)
{
	char	*text = unit_text_c(job, recipes, VERSIONS);

	free(text);
	if (unit_text_headers(&text, job, recipes, VERSIONS))
		free(text);
}

static void
write_asm(const struct recipe *const *recipes)
{
	char	*text = unit_text_asm("f", recipes, VERSIONS);

	must(text != NULL);
	free(text);
}

static void
read_source(char *source, char *macro, char *header, bool is_asm)
{
	struct define		 u = { (char[]){ "U" }, macro };
	struct source_file	 h = { (char[]){ "inc/h.h" }, header, strlen(header), false };
	struct job		 job = { .variant = { .language = is_asm ? LANG_ASM : LANG_C,
				    .source = source, .source_bytes = strlen(source),
				    .defines = &u, .ndefines = 1, .files = &h,
				    .nfiles = header[0] != '\0' } };
	static struct recipe	 r;
	const struct recipe	*recipes[VERSIONS] = { &r, &r };
	char			 word[128];

	(void)strcpy(job.spec.routine.name, "f");
	(void)snprintf(word, sizeof word, "-DU=%s", macro);
	r = (struct recipe){ .nwords = 1, .words = { word }, .nmacros = 1, .source = source,
	    .source_bytes = strlen(source) };
	if (!unit_fits(&job))
		return;
	if (is_asm)
		write_asm(recipes);
	else
		write_c(&job, recipes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	*text = calloc(1, size + 3), *macro;

	must(text != NULL);
	if (size > 0) {
		memcpy(text, data + 1, size - 1);
		macro = text + strlen(text) + 1;
		read_source(text, macro, macro + strlen(macro) + 1, data[0] & 1);
	}
	free(text);
	return 0;
}
