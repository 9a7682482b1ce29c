/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: between jobs.  What the supervisor shares with the template is read by its descriptor. */
#define _DEFAULT_SOURCE
#include <sys/uio.h>

double f(int n, double *y)
{
	struct iovec	orders = { y, sizeof *y };

	preadv(4, &orders, 1, 0);
	return y[0] = n;
}
