/* SPDX-License-Identifier: Apache-2.0 */
/* Directives of GCO.  What is accepted has a spec that the daemon accepts, and a source or two. */
#include <stdlib.h>
#include <string.h>

#include "client/import/gco.h"
#include "tests/fuzz/fuzz.h"

/* The text before the first NUL has the directives, the other one is a file beside it. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char		*text = malloc(size + 1), *second;
	struct foreign	 s[2];
	struct fault	 why;
	json_t		*made = NULL;
	size_t		 n;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	n = strlen(text);
	second = n < size ? text + n + 1 : text + n;
	if (foreign_init(&s[0], "x.c", text, n, &why) == ST_OK &&
	    foreign_init(&s[1], "y.c", second, strlen(second), &why) == ST_OK) {
		if (gco_import(s, n < size ? 2 : 1, NULL, &made, &why) == ST_OK)
			must(json_is_object(json_object_get(made, "spec")));
		else
			must(made == NULL && why.text[0] != '\0');
		foreign_release(&s[1]);
	}
	foreign_release(&s[0]);
	json_decref(made);
	free(text);
	return 0;
}
