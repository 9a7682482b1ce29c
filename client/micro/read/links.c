/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/read/links.h"

struct check {
	const struct micro	*micro;
	struct fault		*why;
	enum status		 st;
};

/* ---- inductions ---- */

static const struct induction *
moves(const struct kernel *k, const char *name)
{
	for (size_t i = 0; i < k->ninductions; i++)
		if (strcmp(described_name(&k->inductions[i].reg), name) == 0)
			return &k->inductions[i];
	return NULL;
}

static enum status
check_induction(const struct check *c, const struct kernel *k, const struct induction *i)
{
	const struct induction	*leader = i->has_link ? moves(k, described_name(&i->link)) : NULL;

	if (i->has_link && leader == NULL)
		return micro_refuse(c->micro, i->link.at, c->why, "linked: the kernel has no "
		    "induction for %s", described_name(&i->link));
	if (leader != NULL && (leader == i || leader->has_link))
		return micro_refuse(c->micro, i->link.at, c->why, "linked: %s is %s",
		    described_name(&i->link), leader == i ? "itself" : "linked, too");
	if (i->strides.linked == NULL)
		return ST_OK;
	if ((leader = moves(k, i->strides.linked)) == NULL || leader == i ||
	    leader->strides.linked != NULL)
		return micro_refuse(c->micro, i->strides.at, c->why, "stride: the kernel has no "
		    "induction for %s with a stride of its own", i->strides.linked);
	return ST_OK;
}

/* ---- kernels ---- */

/* A kernel of that name beside it. */
static const struct kernel *
beside(const struct kernel *around, const char *name)
{
	for (size_t i = 0; i < around->nstatements; i++)
		if (around->statements[i].kind == STATEMENT_KERNEL &&
		    around->statements[i].kernel->name != NULL &&
		    strcmp(around->statements[i].kernel->name, name) == 0)
			return around->statements[i].kernel;
	return NULL;
}

static enum status
check_unrolling(const struct check *c, const struct kernel *around, const struct kernel *k)
{
	const struct kernel	*leader;

	if (k->unrolling.linked == NULL)
		return ST_OK;
	leader = beside(around, k->unrolling.linked);
	if (leader == NULL || leader == k || leader->unrolling.linked != NULL)
		return micro_refuse(c->micro, k->unrolling.at, c->why, "unrolling: beside this "
		    "kernel there is no %s with an unrolling of its own", k->unrolling.linked);
	if (leader->repetition.is_given)
		return micro_refuse(c->micro, k->unrolling.at, c->why, "unrolling: %s is repeated, "
		    "so its copies may differ", k->unrolling.linked);
	return ST_OK;
}

static bool
check_kernel(void *arg, struct kernel *k)
{
	struct check	*c = arg;

	for (size_t i = 0; i < k->ninductions && c->st == ST_OK; i++)
		c->st = check_induction(c, k, &k->inductions[i]);
	for (size_t i = 0; i < k->nstatements && c->st == ST_OK; i++)
		if (k->statements[i].kind == STATEMENT_KERNEL)
			c->st = check_unrolling(c, k, k->statements[i].kernel);
	return c->st == ST_OK;
}

/* ---- immediates ---- */

struct search {
	const char	*name;
	bool		 is_found;
};

static bool
look(void *arg, struct pattern *p)
{
	struct search		*s = arg;
	const struct slot	*v = pattern_open_immediate(p);

	s->is_found = p->name != NULL && strcmp(p->name, s->name) == 0 && v != NULL &&
	    v->values.linked == NULL;
	return !s->is_found;
}

static bool
check_immediate(void *arg, struct pattern *p)
{
	struct check		*c = arg;
	const struct slot	*v = pattern_open_immediate(p);
	struct search		 s = { .name = v != NULL ? v->values.linked : NULL };

	if (s.name == NULL)
		return true;
	(void)kernel_each_pattern(c->micro->root, look, &s);
	if (!s.is_found)
		c->st = micro_refuse(c->micro, v->at, c->why, "immediate: no instruction %s has an "
		    "immediate with a range", s.name);
	return s.is_found;
}

enum status
links_check(const struct micro *m, struct fault *why)
{
	struct check	c = { .micro = m, .why = why, .st = ST_OK };

	if (kernel_size(m->root) == 0)
		return micro_refuse(m, m->root->at, why, "the description has no instruction");
	if (kernel_each(m->root, check_kernel, &c))
		(void)kernel_each_pattern(m->root, check_immediate, &c);
	return c.st;
}
