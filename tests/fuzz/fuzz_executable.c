/* SPDX-License-Identifier: Apache-2.0 */
/* Executables: nothing beyond the bytes is read, and a refusal has words. */
#include "tests/fuzz/fuzz.h"
#include "worker/build/recipe/executable.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fault	why = { .status = ST_OK };

	if (size > 0 && executable_check(data, size, &why) != ST_OK)
		must(why.status == ST_LOAD_FAILED && why.text[0] != '\0');
	return 0;
}
