/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/launch/size_sweep.h"

enum { FEWEST_SIZES = 3 };

struct size_knee
size_knee_of(const struct launch_row *const *row, size_t n)
{
	struct size_knee	k = { .kernel = row[0]->kernel };
	double			least = row[0]->value;
	size_t			last = 0;

	for (size_t i = 1; i < n; i++)
		least = fmin(least, row[i]->value);
	for (size_t i = 0; i < n; i++)
		if (row[i]->value <= SIZE_SWEEP_LEVEL * least)
			last = i;
	k.last = row[last]->n;
	k.found = last + 1 < n;
	if (k.found) {
		k.next = row[last + 1]->n;
		k.times = row[last + 1]->value / least;
	}
	return k;
}

static int
by_kernel_and_size(const void *a, const void *b)
{
	const struct launch_row	*x = *(const struct launch_row *const *)a;
	const struct launch_row	*y = *(const struct launch_row *const *)b;
	const int		 order = strcmp(x->kernel, y->kernel);

	return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

static void
put_knee(const struct size_knee *k, FILE *to)
{
	if (k->found)
		(void)fprintf(to, "%s: knee behind %.0f, at %.0f %.2f times the least\n",
		    k->kernel, k->last, k->next, k->times);
	else
		(void)fprintf(to, "%s: no knee up to %.0f\n", k->kernel, k->last);
}

enum status
size_sweep_print(const struct launch_rows *rows, FILE *to, struct fault *why)
{
	const struct launch_row	**at = calloc(rows->n + 1, sizeof *at);
	struct size_knee	  knee;
	size_t			  n = 0;

	if (at == NULL)
		return fault_set(why, ST_NOMEM, "a sweep over sizes");
	for (size_t i = 0; i < rows->n; i++)
		if (isfinite(rows->at[i].value))
			at[n++] = &rows->at[i];
	qsort(at, n, sizeof *at, by_kernel_and_size);
	for (size_t i = 0, k; i < n; i += k) {
		for (k = 1; i + k < n && strcmp(at[i]->kernel, at[i + k]->kernel) == 0; k++)
			continue;
		if (k < FEWEST_SIZES)
			continue;
		knee = size_knee_of(&at[i], k);
		put_knee(&knee, to);
	}
	free(at);
	return ST_OK;
}
