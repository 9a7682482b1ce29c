/* SPDX-License-Identifier: Apache-2.0 */
/* The trailing update of a factorisation by tiles: along a row of tiles, one after the other. */
#include "app.h"

void	 tile_update(int n, const double *a, const double *b, double *c);

enum { N = 64, TILE = N * N, TILES = 10 };
const int	 app_places = 4, app_steps = 200;

struct place {
	double	*tile;			/* TILES x TILES of them */
	int	 row, column;
};

static double *
tile(struct place *p, int i, int j)
{
	return p->tile + (size_t)(i * TILES + j) * TILE;
}

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->tile = app_vector((size_t)TILES * TILES * TILE);
	p->row = p->column = 1;
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	tile_update(N, tile(p, p->row, 0), tile(p, 0, p->column), tile(p, p->row, p->column));
}

/* Behind the end of a row the next row's first tile is scaled, as a triangular solve does. */
void
app_between(void *place, int step)
{
	struct place	*p = place;
	double		*first;

	(void)step;
	if (++p->column < TILES)
		return;
	p->column = 1;
	p->row = p->row + 1 < TILES ? p->row + 1 : 1;
	first = tile(p, p->row, 0);
	for (int i = 0; i < TILE; i++)
		first[i] *= 0.999;
}
