/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_POINTS_H
#define ASSAY_DAEMON_STORE_STORE_POINTS_H

#include "daemon/store/store.h"

/* What pages draw of results, read without the results' documents. */
struct point_row {
	int64_t		 cursor, job_id, spec_id;	/* spec_id: its cell */
	const char	*status, *name;	/* borrowed for the call, as all texts here */
	double		 finished;	/* seconds since the epoch */
	double		 value_ns;	/* what rankings compare, corrected; NaN: none */
	double		 low_ns, high_ns;	/* its median's 95 % interval; NaN: none */
	double		 bound_ns;	/* raced: it takes longer; NaN: it was not */
	const char	*meta;		/* JSON; NULL: none */
	const char	*revision, *host_class;	/* NULL: none */
	int64_t		 sweep_id;	/* 0: none */
	int64_t		 repeat_of;	/* the job that was timed; 0: this one */
};
/* Any other status than ST_OK stops and is returned. */
typedef enum status point_row_fn(void *arg, const struct point_row *);

/* Those of a sweep behind a cursor (0: the first), in the order in which they landed. */
enum status	 store_sweep_points(struct store *, int64_t sweep_id, int64_t after, size_t limit,
		    point_row_fn *, void *arg, struct fault *);
/* Those with a revision of a routine's variant, newest first. */
enum status	 store_history(struct store *, const char *routine, const char *name, size_t limit,
		    point_row_fn *, void *arg, struct fault *);

/* A routine's variant that has results with a revision. */
struct kernel_row {
	const char	*routine, *name;	/* borrowed for the call */
	int64_t		 results, revisions;
	double		 finished;		/* the newest; seconds since the epoch */
};
typedef enum status kernel_row_fn(void *arg, const struct kernel_row *);
enum status	 store_kernels(struct store *, size_t limit, kernel_row_fn *, void *arg,
		    struct fault *);		/* the newest first */

/* The text of a spec, owned by the caller; NULL: there is none, or no memory. */
char		*store_spec_text(struct store *, int64_t spec_id);

#endif
