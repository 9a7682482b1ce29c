/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/work/region.h"

struct symbol *
work_find_symbol(const struct work *w, const char *name)
{
	for (size_t i = w->source->nsymbols; i-- > 0;)
		if (strcmp(w->source->symbols[i]->name, name) == 0)
			return w->source->symbols[i];
	return NULL;
}

void
work_add_symbol(struct arena *a, const struct symbol ***list, size_t *n, const struct symbol *s)
{
	*list = arena_grow(a, *list, *n, sizeof **list);
	(*list)[(*n)++] = s;
}

bool
work_is_restrict(const struct work *w, const struct symbol *s)
{
	for (size_t i = 0; i < w->nrestricted; i++)
		if (w->restricted[i] == s)
			return true;
	return s->is_restrict;
}

enum status
work_init(struct work *w, struct fault *why)
{
	enum status	st = ST_OK;

	region_find_all(w);
	w->names = names_new(w->arena, w->source->text);
	for (size_t i = 0; i < w->nregions && st == ST_OK; i++)
		st = region_prepare(w, &w->regions[i], why);
	return st;
}

void
work_release(struct work *w)
{
	for (size_t i = 0; i < w->nregions; i++) {
		if (w->regions[i].is_modelled)
			model_release(&w->regions[i].before);
		isl_space_free(w->regions[i].params);
	}
	w->nregions = 0;
}
