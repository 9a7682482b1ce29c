/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TALK_FOLLOW_H
#define ASSAY_CLIENT_TALK_FOLLOW_H

#include <jansson.h>

#include "client/print/progress.h"
#include "client/talk/talk.h"

/* Hand jobs in, and receive their results on the same connection. */

struct handed_in {
	json_t		*ids;		/* owned; array */
	size_t		 repeated;	/* of them, submitted before under the same key */
};

/*
 * job.submit, in as few calls as the daemon's limits allow; each call is all or nothing, and a later one that is
 * refused leaves the earlier ones' ids in `h`.  `jobs` is an array, borrowed.
 */
enum status	 follow_submit(struct talk *, json_t *jobs, bool follow, struct handed_in *h, struct fault *);
void		 handed_in_release(struct handed_in *);

/*
 * Until each of `ids` has had its result.  The submission asked for notifications.  What on_result returns other than
 * ST_OK ends it and is returned; ST_CANCELLED: Ctrl-C.
 */
typedef enum status follow_fn(void *arg, const json_t *result, struct fault *);
enum status	 follow_results(struct talk *, const json_t *ids, struct progress *, follow_fn *, void *arg,
		    struct fault *);

#endif
