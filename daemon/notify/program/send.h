/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_NOTIFY_PROGRAM_SEND_H
#define ASSAY_DAEMON_NOTIFY_PROGRAM_SEND_H

#include <jansson.h>

enum { NOTIFY_REASON_BYTES = 300 };

struct notify_answer {
	const char	*outcome;			/* static; a word of request.h */
	char		 reason[NOTIFY_REASON_BYTES];
};

/* One POST: no redirect is followed, no proxy used, and of the answer only the code counts. */
void	 notify_send(const json_t *request, struct notify_answer *);

#endif
