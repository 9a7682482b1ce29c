/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/micro/read/fill.h"

enum status
refuse(const struct reading *r, const struct open *o, struct fault *why, const char *fmt, ...)
{
	char	text[sizeof why->text];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return micro_refuse(r->micro, o->at, why, "%s: %s", o->node->name, text);
}

enum status
miss(const struct reading *r, const struct open *o, const char *name, struct fault *why)
{
	return refuse(r, o, why, "there is no <%s> in it", name);
}

enum status
one_of(const struct reading *r, const struct open *o, const char *const *words, size_t *which,
    struct fault *why)
{
	const char	*near;
	enum status	 st;

	for (*which = 0; words[*which] != NULL; (*which)++)
		if (strcmp(words[*which], o->text) == 0)
			return ST_OK;
	st = refuse(r, o, why, "\"%s\" is none of its words", o->text);
	if ((near = nearest_name(o->text, words)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	else
		fault_hint(why, "for example: %s", words[0]);
	return st;
}

enum status
check_word(const struct reading *r, const struct open *o, const char *extra, struct fault *why)
{
	for (const char *c = o->text; *c != '\0'; c++)
		if (!isascii((unsigned char)*c) || (!isalnum((unsigned char)*c) && *c != '_' &&
		    strchr(extra, *c) == NULL))
			return refuse(r, o, why, "\"%.80s\" has a character that cannot be here: "
			    "'%c'", o->text, *c);
	return ST_OK;
}
