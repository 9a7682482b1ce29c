/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/base64.h"

static const char	alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* 0 … 63; -1: not of the alphabet. */
static int
value_of(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t
base64_decoded_bytes(size_t length)
{
	return length / 4 * 3;
}

/* The group at s as 24 bits, `pad` of its characters being padding; -1: not base64. */
static int32_t
decode_group(const char *s, int pad)
{
	int32_t	bits = 0;

	for (int i = 0; i < 4; i++) {
		int	v = i >= 4 - pad ? 0 : value_of((unsigned char)s[i]);

		if (v < 0)
			return -1;
		bits = bits << 6 | v;
	}
	return (bits & ((1 << 8 * pad) - 1)) != 0 ? -1 : bits;
}

static int
padding(const char *text, size_t length)
{
	if (length < 4 || text[length - 1] != '=')
		return 0;
	return text[length - 2] == '=' ? 2 : 1;
}

static enum status
refuse(struct fault *why, const char *reason)
{
	enum status	st = fault_set(why, ST_BAD_SPEC, "this is not base64: %s", reason);

	fault_hint(why, "RFC 4648, padded, without line breaks: base64 -w0");
	return st;
}

enum status
base64_decode(char **out, size_t *bytes, const char *text, size_t length, struct fault *why)
{
	int	 pad = padding(text, length);
	size_t	 n = 0;
	char	*data;

	*out = NULL;
	if (length % 4 != 0)
		return refuse(why, "its length is not a multiple of four");
	if ((data = malloc(base64_decoded_bytes(length) + 1)) == NULL)
		return fault_set(why, ST_NOMEM, "base64");
	for (size_t i = 0; i < length; i += 4) {
		int32_t	bits = decode_group(text + i, i + 4 == length ? pad : 0);

		if (bits < 0) {
			free(data);
			return refuse(why, "it has a character that does not belong");
		}
		data[n++] = (char)(bits >> 16);
		data[n++] = (char)(bits >> 8);
		data[n++] = (char)bits;
	}
	*bytes = n - (size_t)pad;
	data[*bytes] = '\0';
	*out = data;
	return ST_OK;
}

char *
base64_encode(const void *data, size_t bytes)
{
	const unsigned char	*s = data;
	char			*text, *to;

	if ((text = to = malloc((bytes + 2) / 3 * 4 + 1)) == NULL)
		return NULL;
	for (size_t i = 0; i < bytes; i += 3) {
		size_t		n = bytes - i;
		unsigned	bits = (unsigned)s[i] << 16;

		bits |= n > 1 ? (unsigned)s[i + 1] << 8 : 0;
		bits |= n > 2 ? s[i + 2] : 0;
		*to++ = alphabet[bits >> 18];
		*to++ = alphabet[bits >> 12 & 63];
		*to++ = n > 1 ? alphabet[bits >> 6 & 63] : '=';
		*to++ = n > 2 ? alphabet[bits & 63] : '=';
	}
	*to = '\0';
	return text;
}
