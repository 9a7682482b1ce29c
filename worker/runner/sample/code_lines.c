/* SPDX-License-Identifier: Apache-2.0 */
#include <link.h>

#include "worker/runner/sample/code_lines.h"

void
rt_code_lines_add(struct rt_code_lines *c, const void *at, uint64_t bytes)
{
	if (c->n < RT_CODE_SPANS && bytes != 0)
		c->span[c->n++] = (struct rt_range){ (char *)(uintptr_t)at, 1, bytes, bytes };
}

/* ---- of an object ---- */

struct search {
	struct rt_code_lines	*lines;
	uintptr_t		 routine;
};

static int
is_code(const ElfW(Phdr) *h)
{
	return h->p_type == PT_LOAD && (h->p_flags & PF_X);
}

static int
has_routine(const struct dl_phdr_info *o, uintptr_t routine)
{
	for (unsigned i = 0; i < o->dlpi_phnum; i++)
		if (is_code(&o->dlpi_phdr[i]) &&
		    routine - (o->dlpi_addr + o->dlpi_phdr[i].p_vaddr) < o->dlpi_phdr[i].p_memsz)
			return 1;
	return 0;
}

static int
look_at_object(struct dl_phdr_info *o, size_t bytes, void *arg)
{
	const struct search	*s = arg;

	(void)bytes;
	if (!has_routine(o, s->routine))
		return 0;
	for (unsigned i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr)	*h = &o->dlpi_phdr[i];

		if (is_code(h))
			rt_code_lines_add(s->lines, (const void *)(o->dlpi_addr + h->p_vaddr),
			    h->p_memsz);
	}
	return 1;
}

void
rt_code_lines_find(struct rt_code_lines *c, rt_code *code)
{
	struct search	s = { c, (uintptr_t)code };

	c->n = 0;
	dl_iterate_phdr(look_at_object, &s);
}

/* ---- its lines ---- */

static uint64_t
lines_of(const struct rt_range *r, uint32_t line_bytes)
{
	const uintptr_t	first = (uintptr_t)r->at & ~(uintptr_t)(line_bytes - 1);

	return ((uintptr_t)r->at + r->piece_bytes - first + line_bytes - 1) / line_bytes;
}

uint64_t
rt_code_lines_count(const struct rt_code_lines *c, uint32_t line_bytes)
{
	uint64_t	lines = 0;

	for (unsigned i = 0; i < c->n; i++)
		lines += lines_of(&c->span[i], line_bytes);
	return lines;
}

const char *
rt_code_lines_at(const struct rt_code_lines *c, uint64_t n, uint32_t line_bytes)
{
	unsigned	i = 0;

	for (; n >= lines_of(&c->span[i], line_bytes); i++)
		n -= lines_of(&c->span[i], line_bytes);
	return n == 0 ? c->span[i].at :
	    (const char *)(((uintptr_t)c->span[i].at & ~(uintptr_t)(line_bytes - 1)) +
	    n * line_bytes);
}

/* Where caches of instructions do not follow those of data. */
static void
forget_instructions(const struct rt_range *r, uint32_t line_bytes)
{
#if defined(__aarch64__)
	const uintptr_t	end = (uintptr_t)r->at + r->piece_bytes;

	for (uintptr_t at = (uintptr_t)r->at & ~(uintptr_t)(line_bytes - 1); at < end;
	    at += line_bytes)
		__asm__ volatile("ic ivau, %0" :: "r"(at) : "memory");
	__asm__ volatile("dsb ish\n\tisb" ::: "memory");
#else
	(void)r, (void)line_bytes;
#endif
}

void
rt_code_lines_flush(const struct rt_code_lines *c, uint32_t line_bytes)
{
	for (unsigned i = 0; i < c->n; i++) {
		rt_flush_lines(&c->span[i], line_bytes);
		forget_instructions(&c->span[i], line_bytes);
	}
}
