/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of units.  What is no such object is refused; nothing is touched outside of it. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "worker/build/split/split.h"

/* The same bytes as a unit and as a lone object. */
static void
compare(const uint8_t *data, size_t size)
{
	const int	fd = memfd_create("lone", MFD_CLOEXEC);

	must(fd != -1 && write(fd, data, size) == (ssize_t)size);
	(void)split_is_same_object(data, size, 0, fd);
	(void)close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (unsigned k = 0; k < 3; k++) {
		uint8_t	*bytes = malloc(size > 0 ? size : 1);	/* a byte too far is seen */

		must(bytes != NULL);
		memcpy(bytes, data, size);
		(void)split_check(bytes, size, "f", 2, NULL);
		(void)split_many_constants(bytes, size);
		if (k == 0)
			compare(bytes, size);
		(void)split_take(bytes, size, "f", k);
		free(bytes);
	}
	return 0;
}
