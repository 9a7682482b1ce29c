/* SPDX-License-Identifier: Apache-2.0 */
/* The longest run of equal bytes; count[k]: the runs of length k, the last: of more, too. */
#include <stdint.h>

enum { LENGTHS = 16 };

int
runs(int n, const uint8_t *x, int *count)
{
	int	 longest = 0;

	for (int k = 0; k < LENGTHS; k++)
		count[k] = 0;
	for (int i = 0; i < n;) {
		int	 from = i;

		while (i < n && x[i] == x[from])
			i++;
		if (i - from > longest)
			longest = i - from;
		count[i - from < LENGTHS ? i - from : LENGTHS - 1]++;
	}
	return longest;
}
