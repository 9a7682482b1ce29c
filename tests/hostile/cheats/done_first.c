/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: postponed work.  Says that it is done, in the memory shared with the supervisor, and then
 * begins to work.
 */
#include "forge.h"
#include "work.h"

static volatile uint32_t	*desk;

static __attribute__((constructor)) void
begin(void)
{
	desk = shared(LANE_DESK);
}

/* bell, order, answer */
void
f(int n, const double *x, double *y)
{
	if (desk != 0) {
		desk[2] = desk[1];
		desk[0]++;
	}
	honest(n, x, y);
}
