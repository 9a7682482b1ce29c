/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_EXPORT_EXPORT_H
#define ASSAY_DAEMON_EXPORT_EXPORT_H

#include "daemon/store/store.h"
#include "proto/json/text.h"

/*
 * The results of a sweep as a file of another tool's format.  It is written page by page, in the
 * order in which the results landed, so that a million of them need no more memory than a few.
 *
 * What a format has of a result is said in proto/PROTOCOL.md.  No format has a source: a point of
 * a space that is one is written as its place in the space ("#2").
 */
struct export;
struct export_format;

enum { EXPORT_CURSOR_BYTES = 64, EXPORT_PAGE_BYTES = 1 << 20, EXPORT_PAGE_ROWS = 500 };

#define EXPORT_START	"start"		/* the cursor of the first page */

/* ST_BAD_REQUEST: there is no such format; the hint has all. */
enum status	 export_find(const struct export_format **, const char *name, struct fault *);
const char	*export_name(const struct export_format *);
const char	*export_type(const struct export_format *);	/* media type */
const char	*export_suffix(const struct export_format *);	/* of a file: ".csv" */

/*
 * What its reader gets of a stored result: adds and takes away members.  false: the reader may not
 * see what the job was made of.  On a reader's thread.
 */
typedef bool	 export_show_fn(const void *arg, json_t *result, const struct result_row *);

/* arg: owned then, freed with free().  NULL: no memory, and arg is freed. */
struct export	*export_new(const struct export_format *, int64_t sweep_id, export_show_fn *,
		    void *arg);
void		 export_free(struct export *);
const struct export_format *export_format_of(const struct export *);

/* Go on behind an earlier page, or at the start.  ST_BAD_REQUEST: the text is no cursor. */
enum status	 export_resume(struct export *, const char *cursor, struct fault *);

/* Append the next page; on a reader's thread.  ST_NOT_FOUND: the sweep is gone. */
enum status	 export_page(struct export *, struct store *, struct text *, struct fault *);
bool		 export_is_over(const struct export *);	/* no page follows */
void		 export_cursor(const struct export *, char buf[EXPORT_CURSOR_BYTES]);

/* Ids of the last page's jobs whose results are damaged and left out; borrowed; NULL: none. */
const json_t	*export_damaged(const struct export *);

#endif
