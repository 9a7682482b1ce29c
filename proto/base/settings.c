/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/settings.h"

enum { LINE_MAX_BYTES = 4096, MAX_NAMES = 64 };

enum status
setting_yes(void *into, const char *value, struct fault *why)
{
	bool	*yes = into;

	*yes = strcmp(value, "yes") == 0;
	return *yes || strcmp(value, "no") == 0 ? ST_OK :
	    fault_set(why, ST_BAD_REQUEST, "\"%s\" is neither yes nor no", value);
}

enum status
setting_number(const char *value, int base, uint64_t min, uint64_t max, uint64_t *out,
    struct fault *why)
{
	char	*end;

	errno = 0;
	*out = strtoull(value, &end, base);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 ||
	    *out < min || *out > max)
		return fault_set(why, ST_BAD_REQUEST,
		    "\"%s\" must be a whole number from %" PRIu64 " to %" PRIu64, value, min, max);
	return ST_OK;
}

static enum status
set_number(const struct setting *s, void *into, const char *value, struct fault *why)
{
	uint64_t	n;
	uint32_t	narrow;
	enum status	st = setting_number(value, 10, s->number.min, s->number.max, &n, why);

	if (st != ST_OK)
		return st;
	narrow = (uint32_t)n;
	memcpy(into, s->number.bytes == sizeof narrow ? (void *)&narrow : (void *)&n,
	    s->number.bytes);
	return ST_OK;
}

static enum status
set(const struct setting *s, void *into, const char *value, struct fault *why)
{
	return s->set != NULL ? s->set(into, value, why) : set_number(s, into, value, why);
}

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
		st = set(&s->table[i], (char *)config + s->table[i].at, value, why);
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
