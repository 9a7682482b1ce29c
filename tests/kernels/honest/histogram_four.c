/* SPDX-License-Identifier: Apache-2.0 */
/* The count of each byte in four tables, so that equal neighbours do not wait. */
#include <stdint.h>

void
histogram(int n, const uint8_t *x, unsigned *count)
{
	unsigned	 part[4][256] = { { 0 } };
	int		 i = 0;

	for (; i <= n - 4; i += 4)
		for (int u = 0; u < 4; u++)
			part[u][x[i + u]]++;
	for (; i < n; i++)
		part[0][x[i]]++;
	for (i = 0; i < 256; i++)
		count[i] = part[0][i] + part[1][i] + part[2][i] + part[3][i];
}
