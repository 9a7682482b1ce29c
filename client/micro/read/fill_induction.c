/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of inductions. */
#include "client/micro/read/fill.h"

enum { MAX_STEP = 1 << 24 };		/* bytes; times stride and copies it is below 2^63 */

static struct kernel *
kernel_around(const struct open *o)
{
	while (o->node->id != NODE_KERNEL)
		o = o->parent;
	return o->object;
}

enum status
open_induction(struct reading *r, struct open *o, struct fault *why)
{
	struct induction	*i = kernel_add_induction(r->micro->arena, kernel_around(o), o->at);

	(void)why;
	i->id = ++r->ninductions;
	o->object = i;
	return ST_OK;
}

enum status
close_induction(struct reading *r, struct open *o, struct fault *why)
{
	const struct kernel	*k = kernel_around(o);
	struct induction	*i = o->object;

	if (described_name(&i->reg)[0] == '\0')
		return miss(r, o, "register", why);
	if (i->reg.numbers.is_given)
		return refuse(r, o, why, "its register has a range");
	if (!i->has_increment) {
		i->increment = i->offset;
		if (i->offset == 0)
			return miss(r, o, "increment", why);
	}
	for (size_t n = 0; n + 1 < k->ninductions; n++)
		if (described_is_equal(&k->inductions[n].reg, &i->reg))
			return refuse(r, o, why, "the kernel has one for %s already, in line %u",
			    described_name(&i->reg), k->inductions[n].at.line);
	return ST_OK;
}

static enum status
set_step(struct reading *r, const struct open *o, int64_t *to, struct fault *why)
{
	if (o->number < -MAX_STEP || o->number > MAX_STEP)
		return refuse(r, o, why, "%s is beyond %d bytes", o->text, MAX_STEP);
	*to = o->number;
	return ST_OK;
}

enum status
set_increment(struct reading *r, struct open *o, struct fault *why)
{
	struct induction	*i = o->parent->object;

	if (o->number == 0)
		return refuse(r, o, why, "it is 0, so that the loop never ends");
	i->has_increment = true;
	return set_step(r, o, &i->increment, why);
}

enum status
set_induction_offset(struct reading *r, struct open *o, struct fault *why)
{
	return set_step(r, o, &((struct induction *)o->parent->object)->offset, why);
}

enum status
open_link(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	o->object = &((struct induction *)o->parent->object)->link;
	return ST_OK;
}

enum status
open_link_register(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	o->object = o->parent->object;
	((struct described *)o->object)->at = o->at;
	return ST_OK;
}

enum status
close_link(struct reading *r, struct open *o, struct fault *why)
{
	if (described_name(o->object)[0] == '\0')
		return miss(r, o, "register", why);
	((struct induction *)o->parent->object)->has_link = true;
	return ST_OK;
}

enum status
set_fixed(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	((struct induction *)o->parent->object)->is_fixed = true;
	return ST_OK;
}

enum status
set_last(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	((struct induction *)o->parent->object)->is_last = true;
	return ST_OK;
}

enum status
set_silent(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	((struct induction *)o->parent->object)->is_silent = true;
	return ST_OK;
}

enum status
set_comment(struct reading *r, struct open *o, struct fault *why)
{
	for (const char *c = o->text; *c != '\0'; c++)
		if (*c == '\n' || *c == '\r')
			return refuse(r, o, why, "it has more than one line");
	((struct induction *)o->parent->object)->comment = o->text;
	return ST_OK;
}
