/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search in the application's tree of words, and its variants: FIRST looks at the first letters without a call,
 * EXTRA steps too many are a wrong result, and without COUNT the find is not written down.
 */
#include <string.h>

#ifndef EXTRA
#define EXTRA	0
#endif
#ifndef COUNT
#define COUNT	1
#endif

/* Each where malloc put it. */
struct word {
	struct word	*less, *more;
	const char	*text;
	long		 found;			/* so many times */
};

static int
compare(const char *a, const char *b)
{
#ifdef FIRST
	for (int i = 0; i < 8; i++)
		if (a[i] != b[i] || a[i] == '\0')
			return (unsigned char)a[i] - (unsigned char)b[i];
#endif
	return strcmp(a, b);
}

/* The steps to a word that is in the tree. */
__attribute__((noinline)) long
words_find(void *tree, const char *text)
{
	struct word	*w = tree;
	long		 steps = EXTRA;
	int		 order;

	while ((order = compare(text, w->text)) != 0) {
		w = order < 0 ? w->less : w->more;
		steps++;
	}
	w->found += COUNT;
	return steps;
}
