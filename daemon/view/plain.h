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
	size_t	n;			/* 0 before the first text */
	size_t	same;			/* of the first members: their names are the last text's */
	bool	has_same_names;		/* all are, and there are as many */
	struct {
		char	name[PLAIN_NAME];
		char	value[PLAIN_VALUE];	/* its text */
	} member[PLAIN_MAX];
};

/*
 * False: it is not as plain as that, or not JSON; a full reader has to say.  Zero the structure
 * before the first text.
 */
bool	plain_read(struct plain *, const char *text);

#endif
