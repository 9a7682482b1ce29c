/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_EVENT_DROP_H
#define ASSAY_DAEMON_EVENT_DROP_H

#include <event2/event.h>

/* event_free for one that may not have been made; NULL is fine. */
static inline void
event_drop(struct event *e)
{
	if (e != NULL)
		event_free(e);
}

#endif
