/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_SUBMIT_H
#define ASSAY_CLIENT_CONNECT_SUBMIT_H

#include <jansson.h>

#include "client/connect/connection.h"

struct submitted {
	json_t		*ids;		/* owned; array */
	size_t		 repeated;	/* of them, submitted before under the same key */
};

/*
 * job.submit, in as few calls as the daemon's limits allow; each call is all or nothing, and a later one that is
 * refused leaves the earlier ones' ids in `h`.  `jobs` is an array, borrowed.
 */
enum status	 submit_jobs(struct connection *, json_t *jobs, bool follow, struct submitted *h, struct fault *);
void		 submitted_release(struct submitted *);

#endif
