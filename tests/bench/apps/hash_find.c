/* SPDX-License-Identifier: Apache-2.0 */
/* A join of two tables: batches of keys are looked up in a hash table; two in three are there. */
#include <string.h>

#include "app.h"

void	 hash_find(int n, const uint64_t *keys, int bits, const uint64_t *table, uint64_t *values);

enum { BATCH = 256, BITS = 15, KEYS = 20000 };
const int	 app_places = 4, app_steps = 200;

struct place {
	uint64_t	*keys, *table, *values, sum;
};

static void
put(uint64_t *table, uint64_t key, uint64_t value)
{
	uint64_t	at = key * 0x9e3779b97f4a7c15u >> (64 - BITS);

	while (table[2 * at] != 0)
		at = (at + 1) & (((uint64_t)1 << BITS) - 1);
	table[2 * at] = key;
	table[2 * at + 1] = value;
}

static void
next_batch(struct place *p)
{
	for (int i = 0; i < BATCH; i++)
		p->keys[i] = 1 + app_draw(KEYS * 3 / 2);
}

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);
	const size_t	 bytes = 2 * sizeof *p->table << BITS;

	p->keys = app_memory(BATCH * sizeof *p->keys);
	p->values = app_memory(BATCH * sizeof *p->values);
	p->table = app_memory(bytes);
	memset(p->table, 0, bytes);
	for (uint64_t key = 1; key <= KEYS; key++)
		put(p->table, key, key * key);
	p->sum = 0;
	next_batch(p);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	hash_find(BATCH, p->keys, BITS, p->table, p->values);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;

	(void)step;
	for (int i = 0; i < BATCH; i++)
		p->sum += p->values[i];
	next_batch(p);
}
