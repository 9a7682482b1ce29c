/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_JSON_MARKDOWN_H
#define ASSAY_PROTO_JSON_MARKDOWN_H

#include "proto/json/text.h"

/*
 * Text of a user in a table of GitHub's Markdown: it makes no markup, no link and no mention, and
 * ends no cell.
 */
void	 markdown_put(struct text *, const char *);
void	 markdown_cell(struct text *, const char *);	/* with the bar behind it */

#endif
