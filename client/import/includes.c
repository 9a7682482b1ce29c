/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/import/includes.h"
#include "client/import/scan.h"
#include "proto/base/name.h"

static const struct {
	const char	*name, *c;
} f2c_types[] = {
	{ "integer", "int" }, { "doublereal", "double" }, { "real", "float" },
	{ "logical", "int" }, { "shortint", "short" }, { "ftnlen", "int" },
};
enum { NTYPES = sizeof f2c_types / sizeof f2c_types[0] };

const char *
includes_f2c_type(struct span name)
{
	for (unsigned i = 0; i < NTYPES; i++)
		if (span_is(name, f2c_types[i].name))
			return f2c_types[i].c;
	return NULL;
}

static char *
put_f2c(char *to)
{
	for (unsigned i = 0; i < NTYPES; i++)
		to += sprintf(to, "typedef %s %s;\n", f2c_types[i].c, f2c_types[i].name);
	return to;
}

/* A line `#include "file"`: the file's name. */
static bool
includes_file(const char *at, const char *end, struct span *file)
{
	const char	*past;

	at = scan_blank(at + 1, end);
	if (at >= end || !name_starts(at, "include"))
		return false;
	at = scan_blank(at + strlen("include"), end);
	if (at >= end || *at != '"')
		return false;
	past = scan_past(at, end);
	*file = (struct span){ at + 1, past - at > 1 ? (size_t)(past - at) - 2 : 0 };
	return true;
}

static char *
put_instead(struct foreign *s, const char *at, struct span file, char *to, bool *f2c)
{
	if (!span_is(file, "f2c.h")) {
		foreign_remark(s, at, "#include \"%.*s\" is left out: no file is opened",
		    (int)(file.n < 200 ? file.n : 200), file.at);
		return to;
	}
	if (*f2c)
		return to;
	*f2c = true;
	foreign_remark(s, at, "the types of f2c.h stand in place of it: integer is int");
	return put_f2c(to);
}

char *
includes_left_out(struct foreign *s, struct span part, char *to, bool *f2c)
{
	const char	*end = part.at + part.n, *done = part.at, *start = to, *next;
	struct span	 file;

	for (const char *c = part.at; c < end; c = next) {
		c = scan_blank(c, end);
		if (c >= end)
			break;
		if (!scan_is_directive(part.at, c)) {
			next = scan_past(c, end);
			continue;
		}
		next = scan_line(c + 1, end);
		if (!includes_file(c, next, &file))
			continue;
		to = (char *)mempcpy(to, done, (size_t)(c - done));
		to = put_instead(s, c, file, to, f2c);
		done = next;
	}
	to = (char *)mempcpy(to, done, (size_t)(end - done));
	if (to > start && to[-1] != '\n')
		*to++ = '\n';
	return to;
}
