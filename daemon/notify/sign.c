/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "daemon/notify/sign.h"

static enum status
check(const char *path, int fd, struct fault *why)
{
	struct stat	sb;

	if (fstat(fd, &sb) != 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if ((sb.st_mode & 077) == 0)
		return ST_OK;
	(void)fault_set(why, ST_BAD_REQUEST, "%s: other users may read it", path);
	fault_hint(why, "chmod 600 %s", path);
	return ST_BAD_REQUEST;
}

enum status
sign_read_secret(char **out, const char *path, struct fault *why)
{
	char		text[SECRET_BYTES + 2];
	int		fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t		n = -1;
	enum status	st;

	*out = NULL;
	if (fd < 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if ((st = check(path, fd, why)) == ST_OK)
		n = read(fd, text, sizeof text - 1);
	(void)close(fd);
	if (st != ST_OK)
		return st;
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	if (strlen(text) < SECRET_LEAST_BYTES || strlen(text) > SECRET_BYTES) {
		st = fault_set(why, ST_BAD_REQUEST, "%s: its first line must have %d to %d bytes",
		    path, SECRET_LEAST_BYTES, SECRET_BYTES);
		fault_hint(why, "openssl rand -hex 32 > %s", path);
	} else if ((*out = strdup(text)) == NULL) {
		st = fault_set(why, ST_NOMEM, "secret");
	}
	explicit_bzero(text, sizeof text);
	return st;
}

bool
sign_body(const char *secret, long long unix_s, const char *body, char out[SIGNATURE_BYTES])
{
	unsigned char	 hash[EVP_MAX_MD_SIZE];
	unsigned	 bytes = 0;
	char		*text = NULL;
	bool		 ok = asprintf(&text, "%lld.%s", unix_s, body) >= 0;
	int		 n;

	ok = ok && HMAC(EVP_sha256(), secret, (int)strlen(secret), (unsigned char *)text,
	    strlen(text), hash, &bytes) != NULL;
	free(text);
	n = snprintf(out, SIGNATURE_BYTES, "t=%lld,v1=", unix_s);
	for (unsigned i = 0; ok && i < bytes; i++)
		n += snprintf(out + n, SIGNATURE_BYTES - (size_t)n, "%02x", hash[i]);
	return ok;
}
