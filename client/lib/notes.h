/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_NOTES_H
#define ASSAY_CLIENT_LIB_NOTES_H

#include <stdbool.h>

/* Notifications that wait for their reader, oldest first. */
struct note;
struct notes {
	struct note	 *first, **last;
};

void		 notes_init(struct notes *);
void		 notes_release(struct notes *);
bool		 notes_add(struct notes *, const char *params);	/* false: no memory */
/* JSON text for free(3); NULL: there is none. */
char		*notes_take(struct notes *);

#endif
