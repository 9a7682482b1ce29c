/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: code of others.  A page of its own is moved to where the driver's code is; it says so by
 * abort().
 */
#include "code.h"

static void __attribute__((constructor))
early(void)
{
	char	*text = code_of("driver.so"), *copy;

	copy = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(copy, text, PAGE);
	mprotect(copy, PAGE, PROT_READ | PROT_EXEC);
	if (mremap(copy, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, text) == text)
		abort();
}

double f(int n, double *y)
{
	return y[0] = n;
}
