/* SPDX-License-Identifier: Apache-2.0 */
/* assay-micro.h: what a plugin's pass may do with programs and their kernels. */
#include <string.h>

#include "client/micro/model/micro.h"
#include "client/micro/plugin/assay-micro.h"

bool
assay_micro_refuse(struct fault *why, const char *words)
{
	(void)fault_set(why, ST_BAD_SPEC, "%s", words);
	return false;
}

const char *
assay_micro_path(const struct micro *m)
{
	return m->path;
}

const char *
assay_micro_machine(const struct micro *m)
{
	return machine_word(m->target.machine);
}

const struct micro *
assay_micro_of(const struct program *p)
{
	return p->micro;
}

uint64_t
assay_micro_index(const struct program *p)
{
	return p->index;
}

void
assay_micro_drop(struct program *p)
{
	p->is_dropped = true;
}

const char *
assay_micro_text(const struct program *p)
{
	return p->text;
}

static char *
copy(struct program *p, const char *text)
{
	return arena_text(p->arena, text, strlen(text));
}

void
assay_micro_set_text(struct program *p, const char *text)
{
	p->text = copy(p, text);
}

/* ---- kernels ---- */

struct search {
	size_t		 ahead;		/* kernels to pass by, the description first */
	struct kernel	*found;
};

static bool
look(void *arg, struct kernel *k)
{
	struct search	*s = arg;

	if (s->ahead-- > 0)
		return true;
	s->found = k;
	return false;
}

struct kernel *
assay_micro_kernel(struct program *p, size_t i)
{
	struct search	s = { i + 1, NULL };

	(void)kernel_each(p->root, look, &s);
	return s.found;
}

uint64_t
assay_micro_unroll(const struct kernel *k)
{
	return k->unroll;
}

/* Where the i-th instruction stands among the statements; their number: there is none. */
static size_t
statement_of(const struct kernel *k, size_t i)
{
	size_t	at = 0;

	for (; at < k->nstatements; at++)
		if (k->statements[at].kind == STATEMENT_PATTERN && i-- == 0)
			return at;
	return at;
}

size_t
assay_micro_count(const struct kernel *k)
{
	size_t	n = 0;

	for (size_t at = 0; at < k->nstatements; at++)
		n += k->statements[at].kind == STATEMENT_PATTERN;
	return n;
}

struct pattern *
assay_micro_instruction(const struct kernel *k, size_t i)
{
	size_t	at = statement_of(k, i);

	return at < k->nstatements ? k->statements[at].pattern : NULL;
}

struct pattern *
assay_micro_add(struct program *p, struct kernel *k, size_t i, const char *operation)
{
	size_t			 at = statement_of(k, i);
	struct pattern		*one = pattern_new(p->arena, k->at);
	struct statement	 last;

	if (k->nstatements >= MICRO_MAX_STATEMENTS)
		return NULL;
	(void)assay_micro_set_operation(p, one, operation);
	kernel_add_pattern(p->arena, k, one);
	last = k->statements[k->nstatements - 1];
	memmove(&k->statements[at + 1], &k->statements[at],
	    (k->nstatements - 1 - at) * sizeof last);
	k->statements[at] = last;
	return one;
}

bool
assay_micro_delete(struct kernel *k, size_t i)
{
	size_t	at = statement_of(k, i);

	if (at == k->nstatements)
		return false;
	k->nstatements--;
	memmove(&k->statements[at], &k->statements[at + 1],
	    (k->nstatements - at) * sizeof *k->statements);
	return true;
}
