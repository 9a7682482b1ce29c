/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of the decimal numbers in a text; all but digits separates them. */
#include <stdint.h>

uint64_t
digits(int n, const uint8_t *text)
{
	uint64_t	 sum = 0, number = 0;

	for (int i = 0; i < n; i++)
		if (text[i] >= '0' && text[i] <= '9') {
			number = 10 * number + (text[i] - '0');
		} else {
			sum += number;
			number = 0;
		}
	return sum + number;
}
