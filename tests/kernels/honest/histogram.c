/* SPDX-License-Identifier: Apache-2.0 */
/* The count of each byte; equal neighbours wait for each other. */
#include <stdint.h>

void
histogram(int n, const uint8_t *x, unsigned *count)
{
	for (int i = 0; i < 256; i++)
		count[i] = 0;
	for (int i = 0; i < n; i++)
		count[x[i]]++;
}
