/* SPDX-License-Identifier: Apache-2.0 */
/*
 * POET's specifications.  What is accepted is a spec that the daemon accepts (poet_import reads it
 * so); what is refused has a place and a reason.
 */
#include <stdlib.h>
#include <string.h>

#include "client/import/poet.h"
#include "tests/fuzz/fuzz.h"

static void
import(struct foreign *s)
{
	static char	calls[] = "NREP=5", flush[] = "CacheFlushMethod=generic", *words[] = {
			    calls, flush };
	const struct cli_list	parameters = { words, 2 };
	struct fault	why;
	json_t		*spec;

	if (poet_import(s, s->bytes % 2 == 1 ? &parameters : NULL, &spec, &why) == ST_OK)
		must(json_is_object(spec));
	else
		must(spec == NULL && why.text[0] != '\0');
	json_decref(spec);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char		*text = malloc(size + 1);
	struct foreign	 s;
	struct fault	 why;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (foreign_init(&s, "x.spec", text, size, &why) == ST_OK)
		import(&s);
	foreign_release(&s);
	free(text);
	return 0;
}
