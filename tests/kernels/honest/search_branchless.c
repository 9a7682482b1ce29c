/* SPDX-License-Identifier: Apache-2.0 */
/* Binary search by conditional moves, two keys at a time. */
static const double *
step(const double *from, int half, double key)
{
	return from[half - 1] < key ? from + half : from;
}

static int
last(const double *table, const double *from, double key)
{
	return (int)(from - table) + (*from < key);
}

void
search(int n, const double *table, int m, const double *key, int *place)
{
	int	 i = 0;

	for (; i < m - 1; i += 2) {
		const double	*a = table, *b = table;

		for (int left = n; left > 1; left -= left / 2) {
			a = step(a, left / 2, key[i]);
			b = step(b, left / 2, key[i + 1]);
		}
		place[i] = last(table, a, key[i]);
		place[i + 1] = last(table, b, key[i + 1]);
	}
	for (; i < m; i++) {
		const double	*a = table;

		for (int left = n; left > 1; left -= left / 2)
			a = step(a, left / 2, key[i]);
		place[i] = last(table, a, key[i]);
	}
}
