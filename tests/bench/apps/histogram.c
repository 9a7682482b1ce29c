/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a camera: a tile's histogram, then its tones are changed. */
#include "app.h"

void	 histogram(int n, const unsigned char *pixels, unsigned *bins);

enum { N = 65536, TILES = 6, TONES = 256 };
const int	 app_places = 4, app_steps = 60;

struct place {
	unsigned char	*tile[TILES];
	unsigned	*bins;
	int		 now;
};

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	for (int t = 0; t < TILES; t++) {
		p->tile[t] = app_memory(N);
		for (int i = 0; i < N; i++)
			p->tile[t][i] = (unsigned char)app_draw(TONES);
	}
	p->bins = app_memory(TONES * sizeof *p->bins);
	for (int i = 0; i < TONES; i++)
		p->bins[i] = 0;
	p->now = 0;
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	histogram(N, p->tile[p->now], p->bins);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;

	for (int i = 0; i < N; i++)
		p->tile[p->now][i] = (unsigned char)(p->tile[p->now][i] + step % 3);
	for (int i = 0; i < TONES; i++)
		p->bins[i] = 0;
	p->now = (p->now + 1) % TILES;
}
