/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_WEB_PACKED_H
#define ASSAY_DAEMON_WEB_PACKED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What a body is sent with: a tag of its content, a compressed form, and the hash by which a policy
 * lets a script run.  Any thread may ask.
 */

enum {
	PACKED_TAG_BYTES	= 16,	/* of the SHA-256 */
	PACKED_TAG		= 2 * PACKED_TAG_BYTES + 1,	/* as text */
};
bool	 packed_tag(char tag[PACKED_TAG], const char *bytes, size_t n);	/* false: no memory */
char	*packed_hash(const char *text);	/* "sha256-…"; owned; NULL: no memory */

enum {
	PACKED_QUICK	= 3,	/* a quarter of the time of 6, a tenth more bytes */
	PACKED_SMALL	= 9,	/* for what is packed once */
};
/* gzip; owned; NULL: it would not be smaller, or no memory. */
unsigned char	*packed_gzip(const char *bytes, size_t n, int level, size_t *npacked);

#endif
