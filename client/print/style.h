/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_STYLE_H
#define ASSAY_CLIENT_PRINT_STYLE_H

#include <stdio.h>

#include "proto/base/fault.h"

/*
 * How text looks: colours where they help, or Markdown.  Without style_init there are colours on a
 * terminal, unless NO_COLOR is set or TERM is dumb (no-color.org).
 */
enum style { STYLE_PLAIN, STYLE_HEADING, STYLE_GOOD, STYLE_BAD, STYLE_WEAK, STYLE_N };

/* `when`: auto, always, never; NULL is auto.  ST_BAD_REQUEST: another word. */
enum status	 style_init(const char *when, bool markdown, struct fault *);
extern const char *const style_when_words[];	/* ended by NULL */

bool		 style_is_markdown(void);

/* What goes before text of this style, and STYLE_PLAIN behind it: "" where there are no colours. */
const char	*style_on(FILE *, enum style);
/* Of an outcome's word, and of a verdict's: "ok", "faster", … */
enum style	 style_of_word(const char *);

#endif
