/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_BASE64_H
#define ASSAY_PROTO_BASE_BASE64_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * RFC 4648 section 4: padded, no line breaks, no stray bits in the last character.  *out is owned,
 * terminated.
 */
enum status	 base64_decode(char **out, size_t *bytes, const char *text, size_t length,
		    struct fault *);
char		*base64_encode(const void *data, size_t bytes);	/* owned; NULL: out of memory */
size_t		 base64_decoded_bytes(size_t length);		/* at most this many from `length`
								 * characters */

#endif
