/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of all elements so far, in place. */
void
prefix(int n, unsigned *x)
{
	unsigned	 sum = 0;

	for (int i = 0; i < n; i++)
		x[i] = sum += x[i];
}
