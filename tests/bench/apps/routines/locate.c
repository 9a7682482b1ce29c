/* SPDX-License-Identifier: Apache-2.0 */
/* For each key the place of the first number in sorted[] that is not less. */
void
locate(int n, const int *sorted, int m, const int *keys, int *at)
{
	for (int i = 0; i < m; i++) {
		int	low = 0, high = n;

		while (low < high) {
			const int	middle = low + (high - low) / 2;

			if (sorted[middle] < keys[i])
				low = middle + 1;
			else
				high = middle;
		}
		at[i] = low;
	}
}
