/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of units.  What is no such object is refused; nothing is touched outside of it. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "worker/build/split.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (unsigned k = 0; k < 3; k++) {
		uint8_t	*bytes = malloc(size > 0 ? size : 1);	/* a byte too far is seen */

		must(bytes != NULL);
		memcpy(bytes, data, size);
		(void)split_check(bytes, size, "f", 2, NULL);
		(void)split_take(bytes, size, "f", k);
		free(bytes);
	}
	return 0;
}
