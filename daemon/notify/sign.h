/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_NOTIFY_SIGN_H
#define ASSAY_DAEMON_NOTIFY_SIGN_H

#include "proto/base/fault.h"

/* The secret that receivers of webhooks know, and what is signed with it. */
enum { SECRET_LEAST_BYTES = 16, SECRET_BYTES = 1024, SIGNATURE_BYTES = 128 };

/*
 * The first line of a file that no other user may read; owned.  ST_BAD_REQUEST: it is readable by
 * others, too short or too long.  ST_IO.
 */
enum status	 sign_read_secret(char **out, const char *path, struct fault *);

/* "t=TIME,v1=HEX", the HMAC-SHA256 of "TIME.BODY"; false: OpenSSL refuses. */
bool		 sign_body(const char *secret, long long unix_s, const char *body,
		    char out[SIGNATURE_BYTES]);

#endif
