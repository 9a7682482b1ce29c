/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "daemon/queue/spec_hash.h"

static void
put_hex(const unsigned char *hash, size_t n, char *hex)
{
	static const char	digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		*hex++ = digits[hash[i] >> 4];
		*hex++ = digits[hash[i] & 0xf];
	}
	*hex = '\0';
}

void
spec_hash_text(const char *text, char hex[SPEC_HASH_BYTES])
{
	unsigned char	 hash[EVP_MAX_MD_SIZE];
	unsigned	 n = 0;

	if (text == NULL ||
	    EVP_Digest(text, strlen(text), hash, &n, EVP_sha256(), NULL) != 1)
		n = 0;
	put_hex(hash, n, hex);
}

void
spec_hash(const json_t *filled, char hex[SPEC_HASH_BYTES])
{
	char	*text = json_dumps(filled, JSON_COMPACT | JSON_SORT_KEYS);

	spec_hash_text(text, hex);
	free(text);
}
