/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/restore.h"

#define PAGE_BYTES	4096u

/* A page that is written to becomes this process's own. */
static void
own_pages(char *at, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i += PAGE_BYTES) {
		volatile char	*byte = at + i;

		*byte = *byte;
	}
}

static void
read_pages(const char *at, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i += PAGE_BYTES)
		(void)*(const volatile char *)(at + i);
}

/* Huge pages of what is only read stay shared: the kernel would copy them as small ones. */
static int
stays_shared(const struct rt_live *l)
{
	return !rt_live_is_own(l) && l->bytes >= RT_MEMALIGN_HUGE_BYTES;
}

void
rt_sets_bring_in(const struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (!stays_shared(&s->live[k]))
			rt_memalign_bring_in(s->live[k].home, s->live[k].bytes);
}

static void
enter_read_only(const struct rt_live *l)
{
	if (!stays_shared(l))
		own_pages(l->home, l->bytes);
	else
		read_pages(l->home, l->bytes);
}

void
rt_sets_enter(struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (!rt_live_is_own(&s->live[k]))
			enter_read_only(&s->live[k]);
	rt_sets_restore(s);
}

void
rt_sets_enter_far(struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		struct rt_live	*l = &s->live[k];

		if (l->far != NULL && !rt_live_is_own(l))
			read_pages(l->far, (s->sets - 1) * l->step_bytes + l->bytes);
	}
	rt_sets_fill_far(s, 1);
	s->walk.position = 0;
	s->has_entered_far = 1;
}

void
rt_sets_restore(struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (rt_live_is_own(&s->live[k]))
			memcpy(s->live[k].home, s->live[k].first, s->live[k].bytes);
}

void
rt_sets_restore_inout(struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (s->live[k].operand->rt_access == 'b')
			memcpy(s->live[k].home, s->live[k].first, s->live[k].bytes);
}

void
rt_sets_restore_far(struct rt_sets *s, const uint32_t *walk, uint64_t calls)
{
	for (uint64_t i = 0; i < calls; i++)
		for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
			struct rt_live	*l = &s->live[k];

			if (l->far != NULL && l->operand->rt_access == 'b')
				rt_sets_put_far(s, k, walk[i]);
		}
}
