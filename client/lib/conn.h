/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_CONN_H
#define ASSAY_CLIENT_LIB_CONN_H

#include "client/lib/assay.h"

/* Common to both kinds of connection: a server's error becomes a fault. */

/*
 * `data` of a JSON-RPC error, or a problem document (both have word, member, hint), and its
 * sentence.  A word of another version becomes `otherwise`.  Returns the status set.
 */
enum status	 conn_fault(struct fault *, const json_t *data, const char *sentence,
		    enum status otherwise);

/*
 * ST_OK: `fd` is ready for `events`; ST_UNAVAILABLE: not until deadline_ms; ST_CANCELLED: stop_fd
 * is readable.
 */
enum status	 conn_poll(int fd, short events, int stop_fd, int64_t deadline_ms);
int64_t		 conn_deadline_ms(int timeout_ms);		/* -1: never */

#endif
