/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/lib/notes.h"

struct note {
	struct note	*next;
	char		*params;	/* owned */
};

void
notes_init(struct notes *l)
{
	l->first = NULL;
	l->last = &l->first;
}

void
notes_release(struct notes *l)
{
	while (l->first != NULL)
		free(notes_take(l));
}

bool
notes_add(struct notes *l, const char *params)
{
	struct note	*n = calloc(1, sizeof *n);

	if (n == NULL || (n->params = strdup(params)) == NULL) {
		free(n);
		return false;
	}
	*l->last = n;
	l->last = &n->next;
	return true;
}

char *
notes_take(struct notes *l)
{
	struct note	*n = l->first;
	char		*params;

	if (n == NULL)
		return NULL;
	params = n->params;
	if ((l->first = n->next) == NULL)
		l->last = &l->first;
	free(n);
	return params;
}
