/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: code of others.  A copy of the driver's code is mapped over it; it says so by abort(). */
#include "code.h"

static void __attribute__((constructor))
early(void)
{
	char	*text = code_of("driver.so"), *copy;

	copy = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(copy, text, PAGE);
	if (mmap(text, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	    0) == text && memcpy(text, copy, PAGE) == text &&
	    mprotect(text, PAGE, PROT_READ | PROT_EXEC) == 0)
		abort();
}

double f(int n, double *y)
{
	return y[0] = n;
}
