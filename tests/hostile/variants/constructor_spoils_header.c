/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: between jobs.  Writes over the template's orders, if the shared memory can be mapped. */
#include <string.h>
#include <sys/mman.h>

enum { BYTES = 4096, SHARED = 4 };

static void __attribute__((constructor))
early(void)
{
	char	*header = mmap(0, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, SHARED, 0);

	if (header != MAP_FAILED)
		memset(header, 0xff, BYTES);
}

double f(int n, double *y)
{
	return y[0] = n;
}
