/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_LINK_H
#define ASSAY_DAEMON_HTTP_HTTP_LINK_H

#include <stdbool.h>

#include <event2/buffer.h>

/*
 * The value of a Link header (RFC 8288) to the page behind a page: its path and query as they came,
 * with this parameter and no other of its name.  Bytes that an address cannot have are escaped, so
 * it is one line whatever came.  No I/O.  false: no memory.
 */
bool	 http_put_next_link(struct evbuffer *out, const char *path, const char *query,
	    const char *name, const char *value);

#endif
