/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_FUZZ_FUZZ_H
#define ASSAY_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* What each fuzz target has. */
int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static inline void
must(bool holds)
{
	if (!holds)
		abort();
}

#endif
