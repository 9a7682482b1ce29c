/* SPDX-License-Identifier: Apache-2.0 */
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "worker/runner/kept.h"
#include "worker/runner/sample/memalign.h"

static void
delete_at(struct rt_kept *k, unsigned i)
{
	k->n--;
	memmove(&k->span[i], &k->span[i + 1], (k->n - i) * sizeof k->span[0]);
}

/* Span i takes in the next one, and what is between. */
static void
join_next(struct rt_kept *k, unsigned i)
{
	if (k->span[i + 1].to > k->span[i].to)
		k->span[i].to = k->span[i + 1].to;
	delete_at(k, i + 1);
}

static void
join_nearest(struct rt_kept *k)
{
	unsigned	best = 0;

	for (unsigned i = 1; i + 1 < k->n; i++)
		if (k->span[i + 1].from - k->span[i].to <
		    k->span[best + 1].from - k->span[best].to)
			best = i;
	join_next(k, best);
}

static unsigned
insert(struct rt_kept *k, struct rt_kept_span new)
{
	unsigned	at = k->n++;

	for (; at > 0 && k->span[at - 1].from > new.from; at--)
		k->span[at] = k->span[at - 1];
	k->span[at] = new;
	return at;
}

void
rt_kept_add(struct rt_kept *k, const void *at, uint64_t bytes)
{
	const uint64_t	page = (uint64_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)at;
	unsigned	i;

	if (at == NULL || bytes == 0)
		return;
	i = insert(k, (struct rt_kept_span){ from & ~(page - 1),
	    (from + bytes + page - 1) & ~(page - 1) });
	if (i > 0 && k->span[i - 1].to >= k->span[i].from)
		join_next(k, --i);
	while (i + 1 < k->n && k->span[i].to >= k->span[i + 1].from)
		join_next(k, i);
	if (k->n > RT_KEPT_MOST)
		join_nearest(k);
}

/* ---- whose ---- */

static int
add_code_of(struct dl_phdr_info *o, size_t bytes, void *kept)
{
	(void)bytes;
	for (unsigned i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr)	*h = &o->dlpi_phdr[i];

		if (h->p_type == PT_LOAD && (h->p_flags & PF_X))
			rt_kept_add(kept, (const void *)(o->dlpi_addr + h->p_vaddr), h->p_memsz);
	}
	return 0;
}

static void
add_code_of_image(struct rt_kept *k, const struct image_header *h,
    const struct image_segment *segment)
{
	for (uint32_t i = 0; i < h->segments; i++)
		if (segment[i].protection & IMAGE_EXEC)
			rt_kept_add(k, (const void *)(uintptr_t)segment[i].at, segment[i].bytes);
	rt_kept_add(k, (const void *)(uintptr_t)h->vdso_at, h->vdso_bytes);
}

void
rt_kept_add_code(struct rt_kept *k, const struct rt_image *image)
{
	dl_iterate_phdr(add_code_of, k);
	if (image != NULL)
		add_code_of_image(k, image->file.header, image->file.segment);
}

static void
add_whole(struct rt_kept *k, const void *at)
{
	uint64_t	bytes;
	const void	*map = rt_memalign_whole(at, &bytes);

	rt_kept_add(k, map, bytes);
}

void
rt_kept_add_operands(struct rt_kept *k, const struct rt_timer *t)
{
	const struct rt_sets	*s = &t->sets;

	for (uint32_t i = 0; i < s->driver->rt_operands; i++) {
		add_whole(k, s->live[i].home);
		add_whole(k, s->live[i].first);
		add_whole(k, s->live[i].drawn);
		add_whole(k, s->live[i].far);
	}
	add_whole(k, t->flush.at);
	add_whole(k, t->pollution.tables);
	rt_kept_add(k, t->pollution.at, t->pollution.pages * RT_POLLUTION_PAGE);
}
