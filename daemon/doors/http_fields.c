/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/doors/http_fields.h"

#define BLANKS	" \t"

static const char *
skip_blanks(const char *s)
{
	return s + strspn(s, BLANKS);
}

/* ---- Accept-Encoding ---- */

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

bool
http_accepts(const char *s, const char *coding)
{
	double	named = -1, any = 0;

	while (s != NULL && *s != '\0') {
		const size_t	n = strcspn(s = skip_blanks(s), BLANKS ",;");

		if (n == strlen(coding) && strncasecmp(s, coding, n) == 0)
			named = weight(s);
		else if (n == 1 && *s == '*')
			any = weight(s);
		s += strcspn(s, ",");
		s += *s == ',';
	}
	return (named >= 0 ? named : any) > 0;
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
