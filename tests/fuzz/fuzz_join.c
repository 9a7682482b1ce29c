/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly that is joined with other programs: nothing is lost of it but what gets a suffix. */
#include <stdio.h>
#include <string.h>

#include "client/micro/decode/join.h"
#include "tests/fuzz/fuzz.h"

/* The first byte chooses the machine. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const enum machine	 m = size > 0 && data[0] % 2 == 1 ? MACHINE_AARCH64 : MACHINE_X86_64;
	char			*text = calloc(1, size + 1), *joined = NULL;
	size_t			 bytes = 0;
	FILE			*to = open_memstream(&joined, &bytes);

	must(text != NULL && to != NULL);
	if (size > 1)
		memcpy(text, data + 1, size - 1);
	must(join_program(m, 7, "name", text, to) == ST_OK);
	must(fclose(to) == 0);
	must(bytes >= strlen(text) && joined[bytes - 1] == '\n');
	free(joined);
	free(text);
	return 0;
}
