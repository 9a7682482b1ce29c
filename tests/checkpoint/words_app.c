/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application whose data no spec can make up: a tree of words in the order in which they came.
 * usage: words_app IMAGE DELAY.  Looks words up, and enters a checkpoint DELAY calls before the last one (-1: after it; "each": before every one).
 * What comes after the region may not run where the image is restarted, and aborts there.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "checkpoint.h"

long	words_find(void *, const char *);
#include "words_find.c"

enum { WORDS = 20000, LOOK_UPS = 3000, MOST_BYTES = 24 };

static struct word	*tree;
static const char	*text_of[WORDS];
static unsigned		 state = 12345;
static double		 took_s[LOOK_UPS];	/* the application's own clock */

static unsigned
dice(unsigned sides)
{
	state = state * 1103515245u + 12345u;
	return (state >> 8) % sides;
}

static const char *
make_text(unsigned number)
{
	char	*text = malloc(MOST_BYTES);
	int	 n = 0;

	while (n < 6)
		text[n++] = (char)('a' + dice(3));
	(void)snprintf(text + n, (size_t)(MOST_BYTES - n), "%u", number);
	return text;
}

static void
insert(const char *text)
{
	struct word	**at = &tree;

	while (*at != NULL)
		at = strcmp(text, (*at)->text) < 0 ? &(*at)->less : &(*at)->more;
	*at = calloc(1, sizeof **at);
	(*at)->text = text;
}

static double
now_s(void)
{
	struct timespec	t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
enter(const char *image)
{
	int	restarted = assay_enter_checkpoint(image);

	if (restarted >= 0)
		return restarted;
	perror(image);
	exit(1);
}

int
main(int argc, char **argv)
{
	bool	each = argc > 2 && strcmp(argv[2], "each") == 0;
	int	delay = argc > 2 && !each ? atoi(argv[2]) : LOOK_UPS;
	int	restarted = 0;
	long	steps = 0;

	if (argc < 2)
		return 64;
	for (unsigned i = 0; i < WORDS; i++)
		insert(text_of[i] = make_text(i));
	assay_checkpoint_routine("words_find", (assay_routine *)words_find);
	for (int i = 0; i < LOOK_UPS; i++) {
		double	began_s;

		if (i == LOOK_UPS - 1 - delay || each)
			restarted = enter(argv[1]);
		began_s = now_s();
		steps += ASSAY_CHECKPOINT_CALL(words_find)(tree, text_of[dice(WORDS)]);
		took_s[i] = now_s() - began_s;
	}
	if (delay == -1)
		restarted = enter(argv[1]);
	assay_stop_checkpoint();
	if (restarted)
		abort();
	printf("%ld steps, the last search in %.0f ns\n", steps, 1e9 * took_s[LOOK_UPS - 1]);
	return 0;
}
