/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "worker/build/recipe/flag_macros.h"

static bool
is_macro(const char *flag)
{
	return strncmp(flag, "-D", 2) == 0;
}

/* 0: none, or one flag takes back what another says. */
static size_t
count_macros(const struct variant *v)
{
	size_t	n = 0;

	for (size_t i = 0; i < v->nflags; i++) {
		if (strncmp(v->flags[i], "-U", 2) == 0)
			return 0;
		n += is_macro(v->flags[i]);
	}
	return n;
}

/* "-DNAME=text" in two; its text is "1" if it has none, as compilers have it. */
static bool
split(const char *flag, struct define *d)
{
	const char	*name = flag + 2, *text = strchr(name, '=');

	d->name = text != NULL ? strndup(name, (size_t)(text - name)) : strdup(name);
	d->text = strdup(text != NULL ? text + 1 : "1");
	return d->name != NULL && d->text != NULL;
}

static bool
has(const struct define *d, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(d[i].name, name) == 0)
			return true;
	return false;
}

/* All defines, and behind them those of the flags. */
static bool
gather(const struct variant *v, struct define *all)
{
	size_t		n = v->ndefines;
	struct fault	why;

	if (n > 0)
		memcpy(all, v->defines, n * sizeof *all);
	for (size_t i = 0; i < v->nflags; i++) {
		if (!is_macro(v->flags[i]))
			continue;
		if (!split(v->flags[i], &all[n]) || all[n].name[0] == '_' ||
		    name_check_define(all[n].name, &why) != ST_OK || has(all, n, all[n].name))
			return false;
		n++;
	}
	return true;
}

static void
drop_flags(struct variant *v)
{
	size_t	kept = 0;

	for (size_t i = 0; i < v->nflags; i++) {
		if (is_macro(v->flags[i]))
			free(v->flags[i]);
		else
			v->flags[kept++] = v->flags[i];
	}
	v->nflags = kept;
}

void
flag_macros_take(struct variant *v)
{
	const size_t	 macros = count_macros(v), n = v->ndefines + macros;
	struct define	*all;

	if (macros == 0 || n > SPEC_MAX_DEFINES || (all = calloc(n, sizeof *all)) == NULL)
		return;
	if (gather(v, all)) {
		free(v->defines);
		v->defines = all;
		v->ndefines = n;
		drop_flags(v);
		return;
	}
	for (size_t i = v->ndefines; i < n; i++) {
		free(all[i].name);
		free(all[i].text);
	}
	free(all);
}
