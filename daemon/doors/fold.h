/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_FOLD_H
#define ASSAY_DAEMON_DOORS_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "daemon/api/api.h"

/*
 * The look at a text of JSON before it is parsed: is it within the limits, and which of its values
 * repeat?  The jobs of one call mostly share their spec, and often their source.  In a list of
 * objects, a member's value with the same text as in the element before is left out of the text
 * that is parsed, and becomes another reference to that value.  So a long list costs the time and
 * the memory of its differences.
 */
enum {
	FOLD_KEYS	= 4,		/* on the way to a list, and from an element to a value */
	FOLD_KEPT	= 16,		/* values of the elements before */
	FOLD_LEAST_BYTES = 32,		/* a shorter value costs less than its repetition */
};

struct fold_span {
	size_t		 at, bytes;
};

struct fold_path {
	unsigned	 n;
	struct fold_span key[FOLD_KEYS];
};

/* A value that may come again. */
struct fold_kept {
	struct fold_path path;		/* from its element */
	struct fold_span value;
	size_t		 weight;
	size_t		 element;	/* its place in the list */
	size_t		 source;	/* number among the sources; 0: it has not come again */
};

/* One that came again. */
struct fold_source {
	struct fold_path list, path;
	size_t		 element;
};

struct fold {
	struct fold_span value;		/* left out of the text */
	size_t		 element;
	size_t		 source;	/* index */
};

/* An array or object that is open. */
struct fold_level {
	bool		 is_object;
	bool		 is_value;	/* its members are values next, not names */
	struct fold_span key;		/* of the member */
	size_t		 at, weight;	/* where it began */
};

struct folds {
	const char		*text;		/* borrowed */
	size_t			 bytes;
	/* the scan */
	size_t			 at, weight, depth;
	struct fold_level	 level[API_MAX_NESTING];
	size_t			 list;		/* depth of the list; 0: in none */
	size_t			 element;	/* of the list */
	size_t			 inner;		/* depth of the first array in the element; 0 */
	struct fold_kept	 kept[FOLD_KEPT];
	unsigned		 nkept;
	/* what it found */
	struct fold		*fold;		/* owned */
	size_t			 n, max;
	struct fold_source	*source;	/* owned */
	size_t			 nsources, max_sources;
};

enum fold_limit { FOLD_WITHIN, FOLD_TOO_DEEP, FOLD_TOO_MANY };

void		 folds_init(struct folds *, const char *text, size_t bytes);
void		 folds_release(struct folds *);
/* Beyond a limit, `at` is the place. */
enum fold_limit	 folds_scan(struct folds *);
/* The whole value, a new reference.  NULL: it is no JSON, or there is nothing to fold. */
json_t		*folds_parse(const struct folds *, size_t flags);

#endif
