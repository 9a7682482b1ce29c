/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "client/micro/lists.h"
#include "client/micro/make.h"
#include "client/micro/read/reader.h"
#include "client/micro/space/pick.h"
#include "client/micro/space/space.h"
#include "client/micro/write/meta.h"

struct run {
	struct micro		*micro;
	const struct make	*how;
	const struct listener	*to;
	uint64_t		 dropped;
};

/* The description as its passes have prepared it, and how many programs it makes. */
static enum status
prepare(struct micro *m, const struct make *how, struct fault *why)
{
	enum status	st;

	if ((st = reader_load(m, why)) != ST_OK || (st = space_prepare(m, why)) != ST_OK)
		return st;
	if (m->ignored != NULL && !how->is_quiet)
		(void)fprintf(stderr, "assay-micro: %s:%u: <%s> is ignored: nothing of a "
		    "description is executed, registers come from a table\n", m->path,
		    m->ignored_at.line, m->ignored);
	if ((st = space_count(m, &m->count, why)) == ST_OK && (m->is_verbose || how->is_verbose))
		lists_choices(m, stderr);
	return st;
}

static enum status
choose_number(const struct run *r, uint64_t *n, struct fault *why)
{
	const uint64_t	count = r->micro->count;

	*n = r->how->limit > 0 ? r->how->limit : r->micro->amount > 0 ? r->micro->amount : count;
	if (*n > count)
		*n = count;
	if (*n <= PICK_MAX)
		return ST_OK;
	(void)fault_at(why, ST_FULL, r->micro->path, "%" PRIu64 " programs are more than %d", *n,
	    PICK_MAX);
	fault_hint(why, "--limit N picks some of them");
	return ST_FULL;
}

static enum status
send(const struct run *r, const struct program *p, struct fault *why)
{
	struct made	m = { .index = p->index, .name = p->name, .language = p->language,
			    .text = p->text };
	enum status	st;

	if (p->text == NULL)
		return fault_set(why, ST_BAD_SPEC, "no pass has written the program: "
		    "code_generation is off");
	m.meta = r->how->with_meta ? meta_json(p) : NULL;
	st = r->to->made(r->to->arg, &m, why);
	json_decref(m.meta);
	return st;
}

static enum status
make_one(struct run *r, uint64_t index, struct fault *why)
{
	struct arena	*a = arena_new();
	struct program	 p;
	enum status	 st = space_program(r->micro, a, index, &p, why);

	if (st == ST_OK && p.is_dropped)
		r->dropped++;
	else if (st == ST_OK)
		st = send(r, &p, why);
	arena_free(a);
	return st;
}

enum status
make_programs(void *arg, struct micro *m, const struct listener *to, struct fault *why)
{
	struct run	 r = { .micro = m, .how = arg, .to = to };
	const uint64_t	*numbers = NULL;
	uint64_t	 n;
	enum status	 st;

	if ((st = prepare(m, r.how, why)) != ST_OK ||
	    (st = to->counted(to->arg, m->count, why)) != ST_OK || r.how->counts ||
	    (st = choose_number(&r, &n, why)) != ST_OK)
		return st;
	if (n < m->count)
		numbers = pick_numbers(m->arena, m->count, n, r.how->seed);
	for (uint64_t i = 0; i < n && st == ST_OK; i++)
		st = make_one(&r, numbers != NULL ? numbers[i] : i, why);
	if (st == ST_OK && r.dropped > 0)
		(void)fprintf(stderr, "assay-micro: a pass has dropped %" PRIu64 " of %" PRIu64
		    " programs\n", r.dropped, n);
	return st;
}
