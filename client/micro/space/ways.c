/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/space/ways.h"

/* ---- numbers that stop ---- */

uint64_t
ways_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t
ways_multiply(uint64_t a, uint64_t b)
{
	uint64_t	product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t
ways_power(uint64_t a, uint64_t exponent)
{
	uint64_t	power = 1;

	if (a <= 1)
		return exponent == 0 ? 1 : a;
	for (; exponent > 0 && power < UINT64_MAX; exponent--)
		power = ways_multiply(power, a);
	return power;
}

/* ---- what passes offer ---- */

static uint64_t
offered(const struct micro *m, const struct pattern *p, enum pass_kind kind)
{
	uint64_t	ways = 1;

	for (size_t i = 0; i < m->passes->n; i++) {
		const struct pass	*pass = &m->passes->at[i];

		if (pass->kind == kind && pass_is_on(pass, m))
			ways = ways_multiply(ways, pass->ways(p));
	}
	return ways;
}

uint64_t
ways_once(const struct micro *m, const struct pattern *p)
{
	return offered(m, p, PASS_BEFORE);
}

uint64_t
ways_each(const struct micro *m, const struct pattern *p)
{
	return offered(m, p, PASS_AFTER);
}

uint64_t
ways_own(const struct micro *m, const struct kernel *k)
{
	uint64_t	ways = 1;

	for (size_t i = 0; i < m->passes->n; i++) {
		const struct pass	*pass = &m->passes->at[i];

		if (pass->kind == PASS_KERNEL && pass_is_on(pass, m))
			ways = ways_multiply(ways, pass->kernel_ways(k));
	}
	return ways;
}

static bool
has_pass(const struct micro *m, enum pass_kind kind, bool is_kernels)
{
	for (size_t i = 0; i < m->passes->n; i++)
		if (m->passes->at[i].kind == kind && m->passes->at[i].is_kernels == is_kernels &&
		    pass_is_on(&m->passes->at[i], m))
			return true;
	return false;
}

struct range
ways_repetition(const struct micro *m, const struct pattern *p)
{
	return has_pass(m, PASS_REPEAT, false) ? p->repetition : range_of_one(1);
}

struct range
ways_kernel_repetition(const struct micro *m, const struct kernel *k)
{
	return has_pass(m, PASS_REPEAT, true) ? k->repetition : range_of_one(1);
}

struct range
ways_unrolling(const struct micro *m, const struct kernel *k)
{
	return has_pass(m, PASS_UNROLL, false) ? k->unrolling : range_of_one(1);
}

/* ---- sums and products ---- */

/* In and below the kernel, copies choose for themselves. */
static bool
depends_on_copies(const struct micro *m, const struct kernel *k)
{
	for (size_t i = 0; i < k->nstatements; i++) {
		const struct statement	*s = &k->statements[i];

		if ((s->kind == STATEMENT_PATTERN && ways_each(m, s->pattern) > 1) ||
		    (s->kind == STATEMENT_KERNEL && depends_on_copies(m, s->kernel)))
			return true;
	}
	return false;
}

uint64_t
ways_pattern(const struct micro *m, const struct pattern *p, uint64_t copies)
{
	const struct range	r = ways_repetition(m, p);
	const uint64_t		once = ways_once(m, p), each = ways_each(m, p);
	uint64_t		sum = 0;

	if (each == 1)
		return ways_multiply(once, range_count(&r));
	for (uint64_t i = 0; i < range_count(&r) && sum < UINT64_MAX; i++)
		sum = ways_add(sum, ways_multiply(once, ways_power(each,
		    ways_multiply(copies, (uint64_t)range_value(&r, i)))));
	return sum;
}

uint64_t
ways_unrolled(const struct micro *m, const struct kernel *k, uint64_t copies, uint64_t unroll)
{
	uint64_t	ways = ways_own(m, k);

	for (size_t i = 0; i < k->nstatements; i++)
		ways = ways_multiply(ways, ways_statement(m, k, i, ways_multiply(copies, unroll)));
	return ways;
}

struct kernel *
ways_follower(const struct kernel *around, const struct kernel *leader, size_t n)
{
	for (size_t i = 0; i < around->nstatements && leader->name != NULL; i++) {
		const struct statement	*s = &around->statements[i];

		if (s->kind == STATEMENT_KERNEL && s->kernel->unrolling.linked != NULL &&
		    strcmp(s->kernel->unrolling.linked, leader->name) == 0 && n-- == 0)
			return s->kernel;
	}
	return NULL;
}

uint64_t
ways_group(const struct micro *m, const struct kernel *around, const struct kernel *leader,
    uint64_t copies, uint64_t unroll)
{
	uint64_t	 ways = ways_unrolled(m, leader, copies, unroll);
	struct kernel	*follower;

	for (size_t i = 0; (follower = ways_follower(around, leader, i)) != NULL; i++)
		ways = ways_multiply(ways, ways_unrolled(m, follower, copies, unroll));
	return ways;
}

uint64_t
ways_body(const struct micro *m, const struct kernel *around, const struct kernel *leader,
    uint64_t copies)
{
	const struct range	r = ways_unrolling(m, leader);
	uint64_t		sum = 0;

	if (!depends_on_copies(m, around))
		return ways_multiply(range_count(&r), ways_group(m, around, leader, copies, 1));
	for (uint64_t i = 0; i < range_count(&r) && sum < UINT64_MAX; i++)
		sum = ways_add(sum, ways_group(m, around, leader, copies,
		    (uint64_t)range_value(&r, i)));
	return sum;
}

static uint64_t
ways_kernel(const struct micro *m, const struct kernel *around, const struct kernel *k,
    uint64_t copies)
{
	const struct range	r = ways_kernel_repetition(m, k);
	const uint64_t		body = ways_body(m, around, k, copies);
	uint64_t		sum = 0;

	if (body == 1)
		return range_count(&r);
	for (uint64_t i = 0; i < range_count(&r) && sum < UINT64_MAX; i++)
		sum = ways_add(sum, ways_power(body, (uint64_t)range_value(&r, i)));
	return sum;
}

uint64_t
ways_statement(const struct micro *m, const struct kernel *k, size_t i, uint64_t copies)
{
	const struct statement	*s = &k->statements[i];

	if (s->kind == STATEMENT_PATTERN)
		return ways_pattern(m, s->pattern, copies);
	if (s->kind == STATEMENT_KERNEL && s->kernel->unrolling.linked == NULL)
		return ways_kernel(m, k, s->kernel, copies);
	return 1;
}
