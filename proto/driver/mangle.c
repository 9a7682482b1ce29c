/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "proto/driver/mangle.h"

enum { LEVELS = 3, TYPE_BYTES = PROTOTYPE_NAME_MAX + 16 };	/* type, const type, pointer */

/* Types that were written before: they are referred to by number. */
struct written {
	size_t	n;
	char	type[LEVELS * PROTOTYPE_MAX_PARAMS][TYPE_BYTES];
};

static const char	*const codes[CTYPE_N] = {
	[CTYPE_VOID] = "v", [CTYPE_BOOL] = "b", [CTYPE_CHAR] = "c", [CTYPE_SCHAR] = "a",
	[CTYPE_UCHAR] = "h", [CTYPE_SHORT] = "s", [CTYPE_USHORT] = "t", [CTYPE_INT] = "i",
	[CTYPE_UINT] = "j", [CTYPE_LONG] = "l", [CTYPE_ULONG] = "m", [CTYPE_LLONG] = "x",
	[CTYPE_ULLONG] = "y", [CTYPE_FLOAT] = "f", [CTYPE_DOUBLE] = "d", [CTYPE_LDOUBLE] = "e",
	[CTYPE_CFLOAT] = "Cf", [CTYPE_CDOUBLE] = "Cd",
};

static void
add(char name[MANGLE_BYTES], const char *text)
{
	const size_t	used = strlen(name);

	(void)snprintf(name + used, MANGLE_BYTES - used, "%s", text);
}

/* "S_", "S0_" … "SZ_", "S10_" */
static void
add_reference(char name[MANGLE_BYTES], size_t i)
{
	static const char	digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char			text[8] = "S_";

	if (i > 36)
		(void)snprintf(text, sizeof text, "S%c%c_", digits[(i - 1) / 36],
		    digits[(i - 1) % 36]);
	else if (i > 0)
		(void)snprintf(text, sizeof text, "S%c_", digits[i - 1]);
	add(name, text);
}

static size_t
find(const struct written *w, const char *type)
{
	size_t	i = 0;

	while (i < w->n && strcmp(w->type[i], type) != 0)
		i++;
	return i;
}

static void
put_behind(char letter, const char *inner, char to[TYPE_BYTES])
{
	to[0] = letter;
	(void)memccpy(to + 1, inner, '\0', TYPE_BYTES - 2);
	to[TYPE_BYTES - 1] = '\0';
}

/* The type from inside out; each level is the one before behind a letter.  Returns how many. */
static size_t
levels_of(const struct proto_param *p, char level[LEVELS][TYPE_BYTES])
{
	size_t	n = 0;

	if (p->type == CTYPE_STRUCT)
		(void)snprintf(level[n++], TYPE_BYTES, "%zu%s", strlen(p->tag), p->tag);
	else
		(void)snprintf(level[n++], TYPE_BYTES, "%s", codes[p->type]);
	if (p->is_pointer && p->is_const) {
		put_behind('K', level[n - 1], level[n]);
		n++;
	}
	if (p->is_pointer) {
		put_behind('P', level[n - 1], level[n]);
		n++;
	}
	return n;
}

/* A plain type of one letter is never referred to. */
static bool
is_plain(const char *type)
{
	return type[1] == '\0';
}

static void
add_type(char name[MANGLE_BYTES], struct written *w, const struct proto_param *p)
{
	char		level[LEVELS][TYPE_BYTES];
	const size_t	n = levels_of(p, level);
	size_t		known = n;	/* levels that are written anew are from here on */

	while (known > 0 && find(w, level[known - 1]) == w->n)
		known--;
	for (size_t i = n; i > (known > 0 ? known : 1); i--)
		add(name, (char[]){ level[i - 1][0], '\0' });
	if (known > 0)
		add_reference(name, find(w, level[known - 1]));
	else
		add(name, level[0]);
	for (size_t i = known; i < n; i++)
		if (!is_plain(level[i]))
			memcpy(w->type[w->n++], level[i], TYPE_BYTES);
}

void
mangle_cxx(const struct prototype *p, char name[MANGLE_BYTES])
{
	struct written	w = { .n = 0 };

	(void)snprintf(name, MANGLE_BYTES, "_Z%zu%s", strlen(p->name), p->name);
	for (size_t i = 0; i < p->nparams; i++) {
		if (p->params[i].is_array || p->params[i].is_rows) {
			name[0] = '\0';
			return;
		}
		add_type(name, &w, &p->params[i]);
	}
	if (p->nparams == 0)
		add(name, "v");
	if (strlen(name) == MANGLE_BYTES - 1)
		name[0] = '\0';
}

void
mangle_fortran(const struct prototype *p, char name[MANGLE_BYTES])
{
	name[0] = '\0';
	for (size_t i = 0; i < p->nparams; i++)
		if (!p->params[i].is_pointer || p->params[i].is_rows)
			return;
	(void)snprintf(name, MANGLE_BYTES, "%s_", p->name);
	for (char *c = name; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
}
