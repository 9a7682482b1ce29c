/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "client/lib/calls.h"

void
calls_init(struct calls *l)
{
	l->first = NULL;
	l->last = &l->first;
}

struct call *
calls_add(struct calls *l, int64_t id, assay_reply_fn *on_reply, void *arg)
{
	struct call	*c = calloc(1, sizeof *c);

	if (c == NULL)
		return NULL;
	*c = (struct call){ .id = id, .on_reply = on_reply, .arg = arg };
	*l->last = c;
	l->last = &c->next;
	return c;
}

struct call *
calls_take(struct calls *l, int64_t id)
{
	struct call	**at = &l->first, *c;

	while (*at != NULL && (*at)->id != id)
		at = &(*at)->next;
	if ((c = *at) == NULL)
		return NULL;
	*at = c->next;
	if (l->last == &c->next)
		l->last = at;
	c->next = NULL;
	return c;
}

/* One by one: a call may drop the others. */
void
calls_fail(struct calls *l, const struct assay_error *why)
{
	struct call	*c;

	while (l->first != NULL && (c = calls_take(l, l->first->id)) != NULL) {
		c->on_reply(c->arg, NULL, why);
		free(c);
	}
}

void
calls_release(struct calls *l)
{
	while (l->first != NULL)
		free(calls_take(l, l->first->id));
}
