/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_KIND_H
#define ASSAY_DAEMON_HTTP_HTTP_KIND_H

/* How users come in, and are known. */
enum http_kind {
	HTTP_LOCAL,		/* a Unix socket or loopback: by the kernel */
	HTTP_TLS,		/* by a token or a certificate */
	HTTP_OPEN,		/* not at all: readers */
	HTTP_NKINDS
};

/* What a request may have, on doors of all kinds. */
enum {
	HTTP_BODY_BYTES		= 16 << 20,
	HTTP_HEADER_BYTES	= 16 << 10,
	HTTP_TIMEOUT_S		= 60,		/* of a connection on which nothing moves */
};

#endif
