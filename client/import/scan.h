/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_SCAN_H
#define ASSAY_CLIENT_IMPORT_SCAN_H

#include <stdbool.h>

/*
 * C by its outline: comments, literals, brackets and lines of the preprocessor.  Every function
 * stops at `end`, the byte after the text, whatever the text lacks.
 */

/* Past blanks and comments. */
const char	*scan_blank(const char *at, const char *end);
/* Past blanks, comments and lines of the preprocessor. */
const char	*scan_outline(const char *start, const char *at, const char *end);
/* Past one word, number, literal or other character.  `at` is before `end` and no blank. */
const char	*scan_past(const char *at, const char *end);
/* Past a line, with those that continue it by a backslash. */
const char	*scan_line(const char *at, const char *end);
/* `at` is a # that begins a line of the preprocessor. */
bool		 scan_is_directive(const char *start, const char *at);
/*
 * The first of the characters `stops` outside of comments, literals, brackets and lines of the
 * preprocessor; `end`: there is none, or a bracket is left open.
 */
const char	*scan_to(const char *at, const char *end, const char *stops);
/* The bracket that closes the one at `at`; `end`: none does. */
const char	*scan_close(const char *at, const char *end);

#endif
