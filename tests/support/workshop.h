/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_WORKSHOP_H
#define ASSAY_TESTS_SUPPORT_WORKSHOP_H

/* One workshop for all tests of a program: its group's setup and teardown. */
#include "tests/support/timing.h"

static struct workshop	t;

static inline int
workshop_open(void **state)
{
	(void)state;
	timing_open(&t);
	return 0;
}

static inline int
workshop_close(void **state)
{
	(void)state;
	timing_close(&t);
	return 0;
}

#endif
