/* SPDX-License-Identifier: Apache-2.0 */
#include "client/micro/space/plan.h"
#include "client/micro/space/ways.h"

static enum status	plan_statements(struct program *, struct kernel *, uint64_t copies,
			    uint64_t rank, struct fault *);

/* Which repetition; then what all copies share, and what each has for itself. */
static void
plan_pattern(const struct program *of, struct pattern *p, uint64_t copies, uint64_t rank)
{
	const struct micro	*m = of->micro;
	const struct range	 r = ways_repetition(m, p);
	const uint64_t		 once = ways_once(m, p), each = ways_each(m, p);
	uint64_t		 i, size = once;

	if (each == 1) {
		i = rank / once;
		rank %= once;
	}
	for (i = each == 1 ? i : 0; each > 1; i++) {
		size = ways_multiply(once, ways_power(each,
		    ways_multiply(copies, (uint64_t)range_value(&r, i))));
		if (rank < size)
			break;
		rank -= size;
	}
	p->repeats = (uint64_t)range_value(&r, i);
	p->choice = (struct choice){ .once = rank % once, .each = rank / once,
	    .each_ways = each, .copies = ways_multiply(copies, p->repeats) };
}

static enum status
plan_unrolled(struct program *of, struct kernel *k, uint64_t copies, uint64_t rank,
    struct fault *why)
{
	const uint64_t	own = ways_own(of->micro, k);

	k->choice = rank % own;
	return plan_statements(of, k, ways_multiply(copies, k->unroll), rank / own, why);
}

/* A kernel and those that are unrolled as it is. */
static enum status
plan_body(struct program *of, const struct kernel *around, struct kernel *k, uint64_t copies,
    uint64_t rank, struct fault *why)
{
	const struct micro	*m = of->micro;
	const struct range	 r = ways_unrolling(m, k);
	struct kernel		*follower;
	uint64_t		 i, size;
	enum status		 st;

	for (i = 0; rank >= (size = ways_group(m, around, k, copies, (uint64_t)range_value(&r, i)));
	    i++)
		rank -= size;
	k->unroll = (uint64_t)range_value(&r, i);
	for (size_t n = 0; (follower = ways_follower(around, k, n)) != NULL; n++) {
		follower->unroll = k->unroll;
		follower->chosen = arena_grow(of->arena, NULL, 0, sizeof(struct kernel *));
		follower->chosen[follower->nchosen++] = follower;
		size = ways_unrolled(m, follower, copies, k->unroll);
		if ((st = plan_unrolled(of, follower, copies, rank % size, why)) != ST_OK)
			return st;
		rank /= size;
	}
	return plan_unrolled(of, k, copies, rank, why);
}

/* Which repetition of a kernel; each of its copies has a number of its own. */
static uint64_t
choose_repetition(const struct micro *m, const struct kernel *k, uint64_t body, uint64_t *rank)
{
	const struct range	r = ways_kernel_repetition(m, k);
	uint64_t		i, size;

	for (i = 0; *rank >= (size = ways_power(body, (uint64_t)range_value(&r, i))); i++)
		*rank -= size;
	return (uint64_t)range_value(&r, i);
}

static enum status
plan_kernel(struct program *of, const struct kernel *around, struct kernel *k, uint64_t copies,
    uint64_t rank, struct fault *why)
{
	const uint64_t	body = ways_body(of->micro, around, k, copies);
	const uint64_t	n = choose_repetition(of->micro, k, body, &rank);
	enum status	st = micro_check_size(of->micro, k->at, 0, n, why);
	struct kernel  *const original = n > 1 ? kernel_clone(of->arena, k) : k;

	if (st != ST_OK)
		return st;
	k->chosen = arena_take(of->arena, n * sizeof *k->chosen);
	k->nchosen = n;
	for (uint64_t i = 0; i < n && st == ST_OK; i++) {
		struct kernel	*one = i == 0 ? k : kernel_clone(of->arena, original);

		one->clone = (unsigned)i;
		k->chosen[i] = one;
		st = plan_body(of, around, one, copies, rank % body, why);
		rank /= body;
	}
	return st;
}

static enum status
plan_statements(struct program *of, struct kernel *k, uint64_t copies, uint64_t rank,
    struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = k->nstatements; i-- > 0 && st == ST_OK;) {
		struct statement	*s = &k->statements[i];
		const uint64_t		 ways = ways_statement(of->micro, k, i, copies);

		if (s->kind == STATEMENT_PATTERN)
			plan_pattern(of, s->pattern, copies, rank % ways);
		else if (s->kind == STATEMENT_KERNEL && s->kernel->unrolling.linked == NULL)
			st = plan_kernel(of, k, s->kernel, copies, rank % ways, why);
		rank /= ways;
	}
	return st;
}

enum status
program_plan(struct program *of, struct fault *why)
{
	return plan_statements(of, of->root, 1, of->index, why);
}
