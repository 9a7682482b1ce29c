/* SPDX-License-Identifier: Apache-2.0 */
int
count_word(int n, const char *text, int m, const char *word)
{
	int	count = 0;

	for (int i = 0; i + m <= n; i++) {
		int	k = 0;

		while (k < m && text[i + k] == word[k])
			k++;
		count += k == m;
	}
	return count;
}
