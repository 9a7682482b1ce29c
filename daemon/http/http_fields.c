/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/http/http_fields.h"

#define BLANKS	" \t"

static const char *
skip_blanks(const char *s)
{
	return s + strspn(s, BLANKS);
}

/* ---- Accept, Accept-Encoding ---- */

/* "; q=0.5" behind a coding, up to a comma; without it 1. */
static double
weight(const char *s)
{
	const char	*end = s + strcspn(s, ",");

	for (; (s = memchr(s, ';', (size_t)(end - s))) != NULL; ) {
		s = skip_blanks(s + 1);
		if (strncasecmp(s, "q=", 2) == 0)
			return s[2] == '0' || s[2] == '1' ? strtod(s + 2, NULL) : 0;
	}
	return 1;
}

/* Of a word in a list; that of "*" for one that it does not name; -1: neither. */
static double
weight_of(const char *s, const char *word)
{
	double	named = -1, any = -1;

	while (s != NULL && *s != '\0') {
		const size_t	n = strcspn(s = skip_blanks(s), BLANKS ",;");

		if (n == strlen(word) && strncasecmp(s, word, n) == 0)
			named = weight(s);
		else if (n == 1 && *s == '*')
			any = weight(s);
		s += strcspn(s, ",");
		s += *s == ',';
	}
	return named >= 0 ? named : any;
}

bool
http_accepts(const char *accept_encoding, const char *coding)
{
	return weight_of(accept_encoding, coding) > 0;
}

bool
http_prefers(const char *accept, const char *type, const char *other)
{
	const double	w = weight_of(accept, type);

	return w > 0 && w >= weight_of(accept, other);
}

/* ---- If-None-Match ---- */

static bool
is_tag(const char *s, size_t n, const char *tag)
{
	static const char	suffix[] = "-gz";
	const size_t		m = strlen(tag), more = sizeof suffix - 1;

	return strncmp(s, tag, m < n ? m : n) == 0 &&
	    (n == m || (n == m + more && strncmp(s + m, suffix, more) == 0));
}

/* Tags are compared weakly, as this field asks for. */
bool
http_has_tag(const char *s, const char *tag)
{
	const char	*end;

	if (s == NULL)
		return false;
	if (*(s = skip_blanks(s)) == '*')
		return *skip_blanks(s + 1) == '\0';
	for (; *s != '\0'; s = skip_blanks(s)) {
		if (strncmp(s, "W/", 2) == 0)
			s += 2;
		if (*s != '"' || (end = strchr(s + 1, '"')) == NULL)
			return false;
		if (is_tag(s + 1, (size_t)(end - s - 1), tag))
			return true;
		s = skip_blanks(end + 1);
		if (*s == ',')
			s++;
		else if (*s != '\0')
			return false;
	}
	return false;
}

/* ---- Last-Event-ID ---- */

int64_t
http_event_id(const char *s)
{
	const size_t	digits = strspn(s, "0123456789");

	return digits > 0 && digits < 19 && s[digits] == '\0' ? strtoll(s, NULL, 10) : -1;
}

/* ---- Host, Origin, Sec-Fetch-Site ---- */

bool
http_host_name(const char *host, char name[HTTP_HOST_BYTES])
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789.-_";
	const bool		is_six = host[0] == '[';
	const char		*text = host + is_six, *end;
	const size_t		n = strspn(text, is_six ? "0123456789abcdefABCDEF:." : plain);

	end = text + n;
	if (n == 0 || n >= HTTP_HOST_BYTES || (is_six && *end++ != ']'))
		return false;
	if (*end == ':')
		end += 1 + strspn(end + 1, "0123456789");
	(void)snprintf(name, HTTP_HOST_BYTES, "%.*s", (int)n, text);
	return *end == '\0';
}

/* Another name in Host: a page had its DNS name pointed at this host's loopback. */
bool
http_is_loopback_name(const char *host)
{
	char		name[HTTP_HOST_BYTES];
	struct in_addr	v4;

	if (!http_host_name(host, name))
		return false;
	if (host[0] == '[')
		return strcmp(name, "::1") == 0;
	if (strcasecmp(name, "localhost") == 0)
		return true;
	return inet_pton(AF_INET, name, &v4) == 1 && (ntohl(v4.s_addr) >> 24) == 127;
}

bool
http_is_own_page(const char *scheme, const char *origin, const char *site, const char *host)
{
	const size_t	n = strlen(scheme);

	if (site != NULL && strcmp(site, "none") != 0 && strcmp(site, "same-origin") != 0)
		return false;
	return origin == NULL || (host != NULL && strncasecmp(origin, scheme, n) == 0 &&
	    strcasecmp(origin + n, host) == 0);
}
