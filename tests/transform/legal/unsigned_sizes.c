/*
 * size_t and unsigned, with remarks and blanks in the way.
 * data: float a[77], float b[77]
 * call: scale(77UL, a, b)
 * script:
 *   restrict
 *   pragma i GCC ivdep
 *   unroll i 8
 */
#include <stddef.h>

void
scale(size_t n, float *a, const float *b)
{
	/* every element once */
	for (size_t i = 0; i < n; ++i) {
		const float f = b[i] * 0.5f;	// half

		a[i] = a[i] * f + f;
	}
}
