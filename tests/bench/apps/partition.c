/* SPDX-License-Identifier: Apache-2.0 */
/* Selection in blocks of measurements, as they come in: each block is partitioned once. */
#include "app.h"

int	 partition(int n, int pivot, int *a);

enum { N = 8192, RANGE = 1 << 20 };
const int	 app_places = 4, app_steps = 60;

struct place {
	int	*a, below;
};

static void
receive(struct place *p)
{
	for (int i = 0; i < N; i++)
		p->a[i] = (int)app_draw(RANGE);
}

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->a = app_memory(N * sizeof *p->a);
	p->below = 0;
	receive(p);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	p->below += partition(N, RANGE / 2, p->a);
}

void
app_between(void *place, int step)
{
	(void)step;
	receive(place);
}
