/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: code of others.  A page of the runner's code is made writable; it says so by abort(). */
#include "code.h"

static void __attribute__((constructor))
early(void)
{
	char	*text = code_of("");

	if (text != NULL && mprotect(text, PAGE, PROT_READ | PROT_WRITE) == 0)
		abort();
}

double f(int n, double *y)
{
	return y[0] = n;
}
