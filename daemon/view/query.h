/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_QUERY_H
#define ASSAY_DAEMON_VIEW_QUERY_H

#include <event2/buffer.h>
#include <jansson.h>

#include "daemon/store/store.h"
#include "daemon/view/params.h"
#include "daemon/view/view.h"

/*
 * Filters → rows → text. query_parse is pure; query_resolve and query_page read the store.  Results
 * are sent as the stored text and never parsed again.
 */
enum {
	QUERY_DEFAULT_LIMIT	= 100,
	QUERY_MAX_LIMIT		= 1000,
	QUERY_MAX_IDS		= 10000,
	/* a page ends at this size, below its limit of rows */
	QUERY_PAGE_BYTES	= 8 << 20,
	QUERY_CURSOR_BYTES	= 64,
	QUERY_MAX_DAMAGED	= 100,	/* a page ends there */
};

struct query {
	struct viewer		 viewer;
	struct result_filter	 filter;	/* sweep_id 0 until query_resolve */
	json_t			*params;	/* owned reference; lends the filter its texts */
	int64_t			*ids;		/* owned; lent to the filter */
	size_t			 limit;		/* QUERY_DEFAULT_LIMIT when not given */
	bool			 limited;	/* it was given */
};

/* The members of results.query, as a params table; for streams, without a bound of `limit`. */
extern const struct api_param query_params[];
extern const struct api_param query_stream_params[];

/* params: an object that fits one of the tables.  On failure nothing is left to release. */
enum status	 query_parse(struct query *, const struct viewer *, const json_t *params,
		    struct fault *);
void		 query_release(struct query *);

/* A cursor is opaque to clients: the order, the last row's cursor and, for `fastest`, its value. */
void		 query_put_cursor(char buf[QUERY_CURSOR_BYTES], const struct result_filter *);
/* The filter's order must be set. */
enum status	 query_get_cursor(struct result_filter *, const char *text, struct fault *);

/* ST_NOT_FOUND: no such sweep. */
enum status	 query_resolve(struct query *, struct store *, struct fault *);

struct page {
	struct evbuffer	*out;		/* borrowed; rows are appended */
	const char	*between;	/* rows: "," or "\n" */
	size_t		 max_rows;
	size_t		 rows;
	bool		 more;		/* another page follows; the query is now at its start */
	int64_t		 damaged[QUERY_MAX_DAMAGED];	/* job ids of results left out */
	size_t		 ndamaged;
};
json_t		*query_damaged(const struct page *);	/* new; NULL: there are none */
enum status	 query_page(struct query *, struct store *, struct page *, struct fault *);

#endif
