/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <sys/time.h>

#include "proto/base/clock.h"

double
clock_wall_s(void)
{
	struct timeval	tv;

	(void)gettimeofday(&tv, NULL);
	return (double)tv.tv_sec + (double)tv.tv_usec * 1e-6;
}
