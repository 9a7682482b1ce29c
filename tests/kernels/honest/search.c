/* SPDX-License-Identifier: Apache-2.0 */
/* Binary search, with a branch at each step: where each key would stand in the table. */
void
search(int n, const double *table, int m, const double *key, int *place)
{
	for (int i = 0; i < m; i++) {
		int	 low = 0, high = n;

		while (low < high) {
			int	 middle = low + (high - low) / 2;

			if (table[middle] < key[i])
				low = middle + 1;
			else
				high = middle;
		}
		place[i] = low;
	}
}
