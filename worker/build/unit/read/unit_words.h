/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_WORDS_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Words and lines of a source in C. */
struct unit_word {
	const char	*at;		/* borrowed */
	size_t		 n;		/* 0: none */
};

size_t		 unit_word_bytes(const char *);		/* of the word that starts here; 0: none */
bool		 unit_is_word(const char *at, size_t n, const char *word);
/* Of words that end with NULL. */
bool		 unit_is_one_of(const char *at, size_t n, const char *const *words);
bool		 unit_is_tag(const char *at, size_t n);		/* "struct", "union", "enum" */
const char	*unit_skip_blanks(const char *);
const char	*unit_skip_space(const char *);		/* and ends of lines */
const char	*unit_next_line(const char *line);

/* Of a line with the directive `name` ("define"): what stands behind it.  NULL: another line. */
const char	*unit_directive(const char *line, const char *name);

/*
 * The brackets that are open, of any kind.  False: this one does not close the last, or they are
 * more than NEST_MOST.
 */
enum { NEST_MOST = 256 };
bool		 unit_nest(char *stack, size_t *depth, char);
bool		 unit_is_balanced(const char *, size_t bytes);

#endif
