/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/lib/problem.h"
#include "proto/base/status.h"

int
problem(struct assay_error *why, const char *word, const char *fmt, ...)
{
	va_list	ap;

	if (why == NULL)
		return -1;
	memset(why, 0, sizeof *why);
	(void)snprintf(why->word, sizeof why->word, "%s", word);
	va_start(ap, fmt);
	(void)vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	return -1;
}

int
problem_hint(struct assay_error *why, const char *fmt, ...)
{
	va_list	ap;

	if (why == NULL)
		return -1;
	va_start(ap, fmt);
	(void)vsnprintf(why->hint, sizeof why->hint, fmt, ap);
	va_end(ap);
	return -1;
}

static void
copy(const struct span *data, const char *member, char *buf, size_t bytes)
{
	const struct span	s = scan_member(data, member);

	scan_string(&s, buf, bytes);
}

int
problem_of(struct assay_error *why, const struct span *data, const char *sentence,
    const char *otherwise)
{
	enum status	st;

	if (why == NULL)
		return -1;
	memset(why, 0, sizeof *why);
	copy(data, "word", why->word, sizeof why->word);
	if (!status_from_word(&st, why->word) || st == ST_OK)
		(void)snprintf(why->word, sizeof why->word, "%s", otherwise);
	copy(data, "member", why->member, sizeof why->member);
	copy(data, "reason", why->text, sizeof why->text);
	if (why->text[0] == '\0')
		(void)snprintf(why->text, sizeof why->text, "%s", sentence[0] != '\0' ? sentence :
		    "no reason given");
	copy(data, "hint", why->hint, sizeof why->hint);
	return -1;
}
