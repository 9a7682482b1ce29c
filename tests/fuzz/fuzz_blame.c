/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics of a unit, behind its text and a byte of zero: whom they blame is one of its versions. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "worker/build/unit/unit_blame.h"

enum { VERSIONS = 3 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool	 guilty[VERSIONS] = { false }, any = false;
	char	*text = malloc(size + 2);
	size_t	 n;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = text[size + 1] = '\0';
	n = strlen(text);
	const struct unit_page	page = { "variant.c", text, "f" };
	const bool		some = unit_blame(guilty, VERSIONS, n < size ? text + n + 1 : text,
				    &page);

	for (unsigned k = 0; k < VERSIONS; k++)
		any |= guilty[k];
	must(any || !some);
	free(text);
	return 0;
}
