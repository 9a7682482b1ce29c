/* SPDX-License-Identifier: Apache-2.0 */
/* R. W. Floyd's sampling without replacement: Communications of the ACM 30(9), 1987. */
#include <search.h>
#include <stdlib.h>

#include "client/cmd/launch/draw.h"
#include "client/search/strategy/dice.h"

static int
compare(const void *a, const void *b)
{
	const uint64_t	x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* false: out of memory. */
static bool
draw(uint64_t *into, uint64_t of, uint64_t n, uint64_t seed, void **tree)
{
	struct dice	dice = { .state = seed };

	for (uint64_t i = 0, top = of - n; i < n; i++, top++) {
		into[i] = dice_below(&dice, top + 1);
		if (tfind(&into[i], tree, compare) != NULL)
			into[i] = top;
		if (tsearch(&into[i], tree, compare) == NULL)
			return false;
	}
	return true;
}

static json_t *
as_list(const uint64_t *numbers, uint64_t n)
{
	json_t	*list = json_array();

	for (uint64_t i = 0; i < n; i++)
		(void)json_array_append_new(list, json_integer((json_int_t)numbers[i]));
	return list;
}

static void
keep(void *number)
{
	(void)number;			/* it is in the array */
}

enum status
draw_numbers(uint64_t of, uint64_t n, uint64_t seed, json_t **out, struct fault *why)
{
	uint64_t	*numbers;
	void		*tree = NULL;
	bool		 ok;

	*out = NULL;
	n = n < of ? n : of;
	if ((numbers = calloc(n + 1, sizeof *numbers)) == NULL)
		return fault_set(why, ST_NOMEM, "a draw");
	ok = draw(numbers, of, n, seed, &tree);
	tdestroy(tree, keep);
	qsort(numbers, n, sizeof *numbers, compare);
	*out = ok ? as_list(numbers, n) : NULL;
	free(numbers);
	return ok ? ST_OK : fault_set(why, ST_NOMEM, "a draw");
}
