/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "worker/cache/digest.h"

enum { SHA256_BYTES = 32, PIECE_BYTES = 1 << 16 };

struct digest {
	EVP_MD_CTX	*ctx;		/* owned */
	bool		 failed;
};

enum status
digest_new(struct digest **out, struct fault *why)
{
	struct digest	*d = calloc(1, sizeof *d);

	*out = d;
	if (d == NULL || (d->ctx = EVP_MD_CTX_new()) == NULL ||
	    EVP_DigestInit_ex(d->ctx, EVP_sha256(), NULL) != 1) {
		if (d != NULL)
			EVP_MD_CTX_free(d->ctx);
		free(d);
		*out = NULL;
		return fault_set(why, ST_NOMEM, "SHA-256");
	}
	return ST_OK;
}

void
digest_add(struct digest *d, const void *part, size_t bytes)
{
	const uint64_t	length = bytes;

	if (EVP_DigestUpdate(d->ctx, &length, sizeof length) != 1 ||
	    EVP_DigestUpdate(d->ctx, part, bytes) != 1)
		d->failed = true;
}

void
digest_more(struct digest *d, const void *bytes, size_t n)
{
	if (EVP_DigestUpdate(d->ctx, bytes, n) != 1)
		d->failed = true;
}

void
digest_text(struct digest *d, const char *text)
{
	digest_add(d, text, strlen(text));
}

enum status
digest_end(struct digest *d, struct hash *hash)
{
	unsigned char	sum[SHA256_BYTES];
	bool		failed = d->failed || EVP_DigestFinal_ex(d->ctx, sum, NULL) != 1;

	EVP_MD_CTX_free(d->ctx);
	free(d);
	for (size_t i = 0; i < sizeof sum && !failed; i++) {
		hash->hex[2 * i] = "0123456789abcdef"[sum[i] >> 4];
		hash->hex[2 * i + 1] = "0123456789abcdef"[sum[i] & 15];
	}
	hash->hex[failed ? 0 : HASH_HEX] = '\0';
	return failed ? ST_INTERNAL : ST_OK;
}

enum status
digest_file(int fd, struct hash *hash, struct fault *why)
{
	struct digest	*d;
	char		*piece = malloc(PIECE_BYTES);
	ssize_t		 n;
	enum status	 st;

	if (piece == NULL)
		return fault_set(why, ST_NOMEM, "a file's SHA-256");
	if ((st = digest_new(&d, why)) == ST_OK) {
		while ((n = read(fd, piece, PIECE_BYTES)) > 0)
			digest_more(d, piece, (size_t)n);
		st = digest_end(d, hash);
		if (st != ST_OK || n < 0)
			st = fault_set(why, ST_INTERNAL, "the file cannot be read");
	}
	free(piece);
	return st;
}
