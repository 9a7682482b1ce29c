/* SPDX-License-Identifier: Apache-2.0 */
/* Updates along a list: each value takes half of the one before it. */
void
linked(int n, const int *next, double *value)
{
	int	 at = 0;

	for (int i = 0; i < n; i++) {
		int	 to = next[at];

		value[to] = 0.5 * value[to] + 0.25 * value[at];
		at = to;
	}
}
