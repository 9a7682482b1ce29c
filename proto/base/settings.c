/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/settings.h"

enum { LINE_MAX_BYTES = 4096, MAX_NAMES = 64 };

enum status
settings_set(const struct settings *s, void *config, const char *name, const char *value,
    struct fault *why)
{
	const char	*names[MAX_NAMES + 1] = { NULL }, *near;

	for (size_t i = 0; i < s->n; i++) {
		enum status	st;

		if (i < MAX_NAMES)
			names[i] = s->table[i].name;
		if (strcmp(s->table[i].name, name) != 0)
			continue;
		st = s->table[i].set(config, value, why);
		return st == ST_OK ? ST_OK : why->member[0] != '\0' ? st : fault_within(why, name);
	}
	(void)fault_at(why, ST_BAD_REQUEST, name, "there is no such setting");
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	return ST_BAD_REQUEST;
}

static char *
trim(char *s)
{
	size_t	n;

	s += strspn(s, " \t");
	for (n = strlen(s); n > 0 && strchr(" \t\r\n", s[n - 1]) != NULL; n--)
		s[n - 1] = '\0';
	return s;
}

static enum status
set_from_line(const struct settings *s, void *config, char *line, struct fault *why)
{
	char	*equals;

	line[strcspn(line, "#")] = '\0';
	line = trim(line);
	if (line[0] == '\0')
		return ST_OK;
	if ((equals = strchr(line, '=')) == NULL)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is not name = value", line);
	*equals = '\0';
	if (strcmp(trim(line), "config") == 0)
		return fault_at(why, ST_BAD_REQUEST, "config", "a file cannot name another file");
	return settings_set(s, config, trim(line), trim(equals + 1), why);
}

enum status
settings_read(const struct settings *s, void *config, const char *path, struct fault *why)
{
	char		 line[LINE_MAX_BYTES], place[PATH_MAX + 32];
	FILE		*f = fopen(path, "re");
	enum status	 st = ST_OK;

	if (f == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	for (unsigned n = 1; st == ST_OK && fgets(line, sizeof line, f) != NULL; n++) {
		if ((st = set_from_line(s, config, line, why)) != ST_OK) {
			(void)snprintf(place, sizeof place, "%s line %u", path, n);
			(void)fault_within(why, place);
		}
	}
	(void)fclose(f);
	return st;
}

void
settings_print(const struct settings *s, FILE *to)
{
	for (size_t i = 0; i < s->n; i++)
		(void)fprintf(to, "  --%-13s %-10s %s\n", s->table[i].name,
		    s->table[i].argument != NULL ? s->table[i].argument : "", s->table[i].text);
}
