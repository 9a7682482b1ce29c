/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_PARAMS_H
#define ASSAY_DAEMON_VIEW_PARAMS_H

#include <stdint.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * The `params` of calls, as tables.  Types are strict: no "1" for 1, no 1.0 for 1, no 0 for false.
 * The same tables give the types of HTTP's query strings.
 */
enum param_kind {
	PARAM_BOOL,
	PARAM_INT,		/* min … max */
	PARAM_NUMBER,		/* min … max, integer or real */
	PARAM_TEXT,		/* min … max bytes */
	PARAM_DURATION,		/* of query strings: "500ms", "30s", "2m"; min … max ms */
	PARAM_ID,		/* an integer from 1 */
	PARAM_IDS,		/* an array of min … max ids */
	PARAM_SWEEP,		/* an id or a name */
	PARAM_USER,		/* a number or a name */
	PARAM_READERS,		/* a job's visibility */
	PARAM_OBJECT,
	PARAM_ARRAY,		/* min … max elements */
	PARAM_REST,		/* last of a table: other members are not looked at here */
};

struct api_param {
	const char	*name;		/* NULL ends a table */
	enum param_kind	 kind;
	bool		 required;
	int64_t		 min, max;
};

enum { PARAMS_MAX = 16, PARAMS_NAME_BYTES = 200 };

/* ST_BAD_REQUEST with the member, the reason and, for an unknown member, the nearest known one. */
enum status	 params_check(const struct api_param *, const json_t *params, struct fault *);
/* Exactly one of two members is there. params: an object, checked before. */
enum status	 params_one_of(const json_t *params, const char *a, const char *b, struct fault *);
int64_t		 params_int(const json_t *params, const char *name, int64_t otherwise);

/* "500ms", "30s", "2m": whole numbers → ms; -1: no duration, or longer than a day. */
int64_t		 params_duration_ms(const char *text);

/*
 * "a=1&b=x%20y" → {"a":1,"b":"x y"}; ids are "1,2,3"; a sweep or user of digits only
 * is a number.  New reference.
 */
enum status	 params_from_query(const struct api_param *, const char *query, json_t **params,
		    struct fault *);
/* Undo %XX (and, in queries, '+') in place; ST_BAD_REQUEST: a bad escape, a NUL, or no UTF-8. */
enum status	 params_unescape(char *text, bool plus_is_space, struct fault *);

/* Distinct ids of an array, sorted; owned.  *n may be 0. */
enum status	 params_ids(const json_t *array, int64_t **ids, size_t *n, struct fault *);
void		 params_sort_ids(int64_t *ids, size_t n);
bool		 params_has_id(const int64_t *ids, size_t n, int64_t id);	/* Of sorted ids. */

#endif
