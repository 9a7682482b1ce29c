/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <zlib.h>

#include "daemon/web/packed.h"
#include "proto/base/base64.h"

bool
packed_tag(char tag[PACKED_TAG], const char *bytes, size_t n)
{
	unsigned char	hash[EVP_MAX_MD_SIZE];

	if (EVP_Digest(bytes, n, hash, NULL, EVP_sha256(), NULL) != 1)
		return false;
	for (size_t i = 0; i < PACKED_TAG_BYTES; i++)
		(void)snprintf(tag + 2 * i, 3, "%02x", hash[i]);
	return true;
}

char *
packed_hash(const char *text)
{
	unsigned char	 hash[EVP_MAX_MD_SIZE];
	unsigned	 n;
	char		*code, *all = NULL;

	if (EVP_Digest(text, strlen(text), hash, &n, EVP_sha256(), NULL) != 1 ||
	    (code = base64_encode(hash, n)) == NULL)
		return NULL;
	if (asprintf(&all, "sha256-%s", code) < 0)
		all = NULL;
	free(code);
	return all;
}

unsigned char *
packed_gzip(const char *bytes, size_t n, int level, size_t *npacked)
{
	z_stream	 z = { .next_in = (Bytef *)(uintptr_t)bytes };
	unsigned char	*packed = malloc(n);

	if (packed == NULL)
		return NULL;
	z.avail_in = (uInt)n;
	z.next_out = packed;
	z.avail_out = (uInt)n;
	if (deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END) {
		free(packed);
		packed = NULL;
	}
	*npacked = z.total_out;
	(void)deflateEnd(&z);
	return packed;
}
