/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <pthread.h>

static void *
turn(void *arg)
{
	for (;;)
		;
	return arg;
}

double f(int n, double *y)
{
	pthread_t t;

	for (;;)
		pthread_create(&t, 0, turn, 0);
	return y[0] = n;
}
