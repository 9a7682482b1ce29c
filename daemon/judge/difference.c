/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/judge/difference.h"
#include "daemon/judge/stats.h"
#include "daemon/judge/ttest.h"

/* Of a stored result; owned, NULL: none. */
static double *
stored_samples(const json_t *result, size_t *n)
{
	const json_t	*list = json_object_get(json_object_get(result, "time"), "samples_ns"), *x;
	double		*out;
	size_t		 i;

	*n = json_array_size(list);
	if (*n == 0 || (out = calloc(*n, sizeof *out)) == NULL)
		return NULL;
	json_array_foreach(list, i, x)
		out[i] = json_number_value(x);
	return out;
}

json_t *
difference_json(const json_t *first, const json_t *second)
{
	double		*a, *b;
	size_t		 na, nb;
	struct stats	 of_a, of_b;
	json_t		*o = json_null();

	a = stored_samples(first, &na);
	b = stored_samples(second, &nb);
	if (a != NULL && b != NULL && na > 1 && nb > 1) {
		struct ttest	t = ttest_unequal(a, na, b, nb);

		stats_of(a, na, &of_a);
		stats_of(b, nb, &of_b);
		o = json_pack("{s:f, s:o}", "ratio", of_b.median > 0 ? of_a.median / of_b.median : 0, "t_test",
		    ttest_json("welch", &t));
	}
	free(a);
	free(b);
	return o;
}
