/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/strategy/trail.h"

enum { FIRST_ROOM = 64 };

static size_t
slot_of(const struct trail *t, uint64_t id)
{
	struct dice	d = { id };
	size_t		at = (size_t)dice_bits(&d) & (t->slots - 1);

	while (t->slot[at] != 0 && t->trial[t->slot[at] - 1].id != id)
		at = (at + 1) & (t->slots - 1);
	return at;
}

/* Twice as many slots as trials at least. */
static enum status
grow(struct trail *t, struct fault *why)
{
	size_t		 room = t->room > 0 ? 2 * t->room : FIRST_ROOM;
	struct trial	*trial = realloc(t->trial, room * sizeof *trial);
	uint32_t	*slot = calloc(2 * room, sizeof *slot);

	if (trial != NULL)
		t->trial = trial;
	if (trial == NULL || slot == NULL || room > UINT32_MAX) {
		free(slot);
		return fault_set(why, ST_NOMEM, "points of a search");
	}
	free(t->slot);
	t->slot = slot;
	t->slots = 2 * room;
	t->room = room;
	for (size_t i = 0; i < t->n; i++)
		t->slot[slot_of(t, t->trial[i].id)] = (uint32_t)i + 1;
	return ST_OK;
}

enum status
trail_init(struct trail *t, struct fault *why)
{
	memset(t, 0, sizeof *t);
	return grow(t, why);
}

void
trail_release(struct trail *t)
{
	free(t->trial);
	free(t->slot);
	memset(t, 0, sizeof *t);
}

struct trial *
trail_find(const struct trail *t, uint64_t id)
{
	uint32_t	at = t->slot[slot_of(t, id)];

	return at != 0 ? &t->trial[at - 1] : NULL;
}

enum status
trail_add(struct trail *t, uint64_t id, unsigned by)
{
	struct fault	none;

	if (t->n == t->room && grow(t, &none) != ST_OK)
		return ST_NOMEM;
	if (t->best == t->n)
		t->best++;			/* still none */
	t->trial[t->n] = (struct trial){ .id = id, .value = INFINITY, .by = by };
	t->slot[slot_of(t, id)] = (uint32_t)++t->n;
	return ST_OK;
}

void
trail_see(struct trail *t, struct trial *trial, double value)
{
	trial->value = isnan(value) ? INFINITY : value;
	trial->seen = true;
	t->nseen++;
	if (trial->value < INFINITY && (t->best >= t->n || value < t->trial[t->best].value))
		t->best = (size_t)(trial - t->trial);
}

const struct trial *
trail_best(const struct trail *t)
{
	return t->best < t->n ? &t->trial[t->best] : NULL;
}
