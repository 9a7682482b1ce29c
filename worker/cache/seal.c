/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <unistd.h>

#include "worker/cache/seal.h"

void
seal_make(const struct hash *hash, char seal[SEAL_BYTES])
{
	memcpy(seal, SEAL_MAGIC, SEAL_MAGIC_BYTES);
	memcpy(seal + SEAL_MAGIC_BYTES, hash->hex, HASH_HEX);
}

static bool
read_seal(int fd, uint64_t bytes, char seal[SEAL_BYTES])
{
	return bytes > SEAL_BYTES &&
	    pread(fd, seal, SEAL_BYTES, (off_t)(bytes - SEAL_BYTES)) == SEAL_BYTES;
}

bool
seal_is_there(int fd, uint64_t bytes)
{
	char	seal[SEAL_BYTES];

	return read_seal(fd, bytes, seal) && memcmp(seal, SEAL_MAGIC, SEAL_MAGIC_BYTES) == 0;
}

/* Adds the first n bytes of the file. */
static bool
add_file(struct digest *d, int fd, uint64_t n)
{
	static char	buf[64 << 10];
	uint64_t	at = 0;
	ssize_t		got;

	while (at < n) {
		const size_t	want = n - at < sizeof buf ? (size_t)(n - at) : sizeof buf;

		if ((got = pread(fd, buf, want, (off_t)at)) <= 0)
			return false;
		digest_more(d, buf, (size_t)got);
		at += (uint64_t)got;
	}
	return true;
}

bool
seal_holds(int fd, uint64_t bytes)
{
	char		 seal[SEAL_BYTES], found[SEAL_BYTES];
	struct digest	*d;
	struct hash	 sum;
	bool		 is_read;

	if (!read_seal(fd, bytes, found) || digest_new(&d, NULL) != ST_OK)
		return false;
	is_read = add_file(d, fd, bytes - SEAL_BYTES);
	if (digest_end(d, &sum) != ST_OK || !is_read)
		return false;
	seal_make(&sum, seal);
	return memcmp(seal, found, SEAL_BYTES) == 0;
}
