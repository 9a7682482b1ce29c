/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_SUBMIT_H
#define ASSAY_CLIENT_CONNECT_SUBMIT_H

#include "client/connect/connection.h"

struct submitted {
	json_t		*ids;		/* owned; array */
	size_t		 repeated;	/* ids that an earlier submission under the same key has */
};

/*
 * job.submit, in as few calls as the daemon's limits allow.  Jobs that differ in their variants
 * alone are sent with one spec.  Each call is all or nothing; a refused one leaves the ids of the
 * earlier calls in `s`.  `jobs` is an array, borrowed.  `follow`: the results will be received on
 * this connection.
 */
enum status	 submit_jobs(struct connection *, json_t *jobs, bool follow, struct submitted *s,
		    struct fault *);
void		 submitted_release(struct submitted *);

#endif
