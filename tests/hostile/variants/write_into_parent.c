/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/uio.h>
#include <unistd.h>

double f(int n, double *y)
{
	process_vm_writev(2, 0, 0, 0, 0, 0);
	return y[0] = n;
}
