/* SPDX-License-Identifier: Apache-2.0 */
void
histogram(int n, const unsigned char *pixels, unsigned *bins)
{
	for (int i = 0; i < n; i++)
		bins[pixels[i]]++;
}
