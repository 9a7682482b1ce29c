/* SPDX-License-Identifier: Apache-2.0 */
/* Object files, as a build jail reads them between two steps.  Any end of one makes it unreadable. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "worker/jail/needs.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t	*bytes = malloc(size + 1);	/* so that a byte too far is seen */

	must(bytes != NULL);
	memcpy(bytes, data, size);
	bytes = realloc(bytes, size > 0 ? size : 1);
	(void)needs_others(bytes, size);
	free(bytes);
	return 0;
}
