/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_UTF8_H
#define ASSAY_PROTO_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* The code of the character of n bytes (utf8_bytes) at s. */
static inline uint32_t
utf8_code(const char *text, size_t n)
{
	const unsigned char	*s = (const unsigned char *)text;
	uint32_t		 code = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));

	for (size_t i = 1; i < n; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/*
 * Characters that are not seen and change how the text around them is read: C1 controls, those
 * that set the direction of text, separators of lines, blanks without width.  Joiners (U+200C,
 * U+200D) belong to the spelling of some scripts.  daemon/web/page/base.js has the same list.
 */
static inline bool
utf8_is_unseen(uint32_t code)
{
	static const struct {
		uint16_t	first, last;
	} unseen[] = { { 0x0080, 0x009f }, { 0x061c, 0x061c }, { 0x200b, 0x200b },
	    { 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x2060 }, { 0x2066, 0x2069 },
	    { 0xfeff, 0xfeff } };

	for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
		if (code >= unseen[i].first && code <= unseen[i].last)
			return true;
	return false;
}

enum { UTF8_ESCAPED = 7 };	/* "\u202e" and its terminator */

/* Bytes of the unseen character at s, which is terminated, and its escape; 0: there is none. */
static inline size_t
utf8_escape(const char *s, char escaped[UTF8_ESCAPED])
{
	const size_t	n = (unsigned char)*s < 0xc2 ? 0 : utf8_bytes(s, UTF8_MOST);
	const uint32_t	code = n > 0 ? utf8_code(s, n) : 0;

	if (!utf8_is_unseen(code))
		return 0;
	(void)snprintf(escaped, UTF8_ESCAPED, "\\u%04x", code & 0xffff);
	return n;
}

#endif
