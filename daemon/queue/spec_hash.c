/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "daemon/queue/spec_hash.h"

void
spec_hash(const json_t *filled, char hex[SPEC_HASH_BYTES])
{
	char		*text = json_dumps(filled, JSON_COMPACT | JSON_SORT_KEYS);
	unsigned char	 hash[EVP_MAX_MD_SIZE];
	unsigned	 n = 0;

	hex[0] = '\0';
	if (text == NULL ||
	    EVP_Digest(text, strlen(text), hash, &n, EVP_sha256(), NULL) != 1)
		n = 0;
	for (unsigned i = 0; i < n; i++)
		(void)snprintf(hex + 2 * (size_t)i, 3, "%02x", hash[i]);
	free(text);
}
