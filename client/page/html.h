/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PAGE_HTML_H
#define ASSAY_CLIENT_PAGE_HTML_H

#include <stdio.h>

/*
 * A page that needs nothing else: no script, no font, no picture from elsewhere.  Everything that
 * comes from outside goes through html_text.
 */
void		 html_begin(FILE *, const char *title);
void		 html_end(FILE *);
/* & < > " ' and control characters are safe. */
void		 html_text(FILE *, const char *);
void		 html_block(FILE *, const char *tag, const char *text);	/* <tag>text</tag> */

#endif
