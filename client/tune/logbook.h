/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_LOGBOOK_H
#define ASSAY_CLIENT_TUNE_LOGBOOK_H

#include "client/tune/record.h"

/*
 * The file of a search: JSON, one object a line.  The first has the space and what chose the path,
 * each of the others a point with its times (record_json), in the order of proposals.  It is what
 * --resume goes on from, and what --replay searches in place of a machine.
 *
 *	{"assay_tune":1,"name":…,"params":…,"space":…,"where":…,"strategy":…,"seed":…,"window":…}
 */
struct logbook {
	json_t		*head;		/* owned */
	json_t		*lines;		/* owned; array of the points' objects */
	size_t		*line;		/* owned; numbers of these lines in the file */
	size_t		 whole_bytes;	/* up to the end of the last whole line */
};

/*
 * Read a file's text.  A last line without its end is left out: the search was killed in it.
 * ST_BAD_SPEC: it is no such file; the fault has its line.
 */
enum status	 logbook_read(struct logbook *, const char *path, const char *text, size_t bytes,
		    struct fault *);
void		 logbook_release(struct logbook *);	/* zeroed memory is fine */

/* The first line of a search.  New reference. */
json_t		*logbook_head(const struct field *, const char *strategy, uint64_t seed,
		    unsigned window);
/* Whether a search with the head `wanted` may go on from `found`; the fault has the member. */
enum status	 logbook_agrees(const json_t *found, const json_t *wanted, struct fault *);
/* A sweep of the head, to open a field with.  New reference. */
json_t		*logbook_sweep(const json_t *head);

#endif
