/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_PLAIN_H
#define ASSAY_DAEMON_VIEW_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

enum { PLAIN_MAX = 64, PLAIN_NAME = 64, PLAIN_VALUE = 128 };

/*
 * A JSON object as the daemon writes it, without spaces, whose members are numbers, words and
 * strings without escapes: most points of a space are, and need no JSON values made of them.
 */
struct plain {
	size_t	n;
	struct {
		char	name[PLAIN_NAME];
		char	value[PLAIN_VALUE];	/* its text */
	} member[PLAIN_MAX];
};

/* False: it is not as plain as that, or not JSON; a full reader has to say. */
bool	plain_read(struct plain *, const char *text);

#endif
