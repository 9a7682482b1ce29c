/* outcome: ok run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  Each call sleeps for longer than it works. */
#define _GNU_SOURCE
#include <stddef.h>
#include <time.h>

double f(int n, double *y)
{
	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	return y[0] = n;
}
