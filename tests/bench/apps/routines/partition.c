/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers below the pivot come first; how many there are. */
int
partition(int n, int pivot, int *a)
{
	int	low = 0, high = n - 1;

	while (low <= high) {
		if (a[low] < pivot) {
			low++;
		} else {
			const int	spare = a[low];

			a[low] = a[high];
			a[high--] = spare;
		}
	}
	return low;
}
