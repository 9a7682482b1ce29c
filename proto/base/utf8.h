/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_UTF8_H
#define ASSAY_PROTO_BASE_UTF8_H

#include <stddef.h>

enum { UTF8_MOST = 4 };		/* bytes of a character */

/* Bytes of the UTF-8 character at s, of which `left` bytes may be read; 0: there is none. */
static inline size_t
utf8_bytes(const char *text, size_t left)
{
	const unsigned char	*s = (const unsigned char *)text;
	const size_t		 n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 :
				    s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;

	if (left < n)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

#endif
