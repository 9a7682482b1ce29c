/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "worker/bench/proc/pages.h"

#define SWITCH	"/sys/kernel/mm/transparent_hugepage/enabled"
enum { MOST = 64, PATH_BYTES = 512, TENTHS = 9 };

struct mapping {
	uint64_t	 from, to, in_memory_kb, huge_kb;
};

static enum pages_found
found_in(const struct mapping *m)
{
	if (m->in_memory_kb == 0)
		return PAGES_FOUND_UNKNOWN;
	if (m->huge_kb == 0)
		return PAGES_FOUND_SMALL;
	return 10 * m->huge_kb >= TENTHS * m->in_memory_kb ? PAGES_FOUND_HUGE : PAGES_FOUND_MIXED;
}

static void
note(const struct mapping *m, const uint64_t *at, size_t n, enum pages_found *out)
{
	for (size_t i = 0; i < n; i++)
		if (at[i] >= m->from && at[i] < m->to)
			out[i] = found_in(m);
}

/* A line with two addresses begins a mapping; counts follow by name. */
void
pages_find(FILE *smaps, const uint64_t *at, size_t n, enum pages_found *out)
{
	struct mapping	 m = { 0, 0, 0, 0 }, next;
	char		*line = NULL;
	size_t		 room = 0;

	for (size_t i = 0; i < n; i++)
		out[i] = PAGES_FOUND_UNKNOWN;
	while (getline(&line, &room, smaps) > 0) {
		next = (struct mapping){ 0, 0, 0, 0 };
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &next.from, &next.to) == 2) {
			note(&m, at, n, out);
			m = next;
		} else if (sscanf(line, "Rss: %" SCNu64, &m.in_memory_kb) != 1) {
			(void)sscanf(line, "AnonHugePages: %" SCNu64, &m.huge_kb);
		}
	}
	note(&m, at, n, out);
	free(line);
}

/* The chosen word of the switch stands in brackets. */
static bool
are_given(const char *root)
{
	char	 path[PATH_BYTES], line[128] = "";
	FILE	*f;

	(void)snprintf(path, sizeof path, "%s" SWITCH, root);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	if (fgets(line, sizeof line, f) == NULL)
		line[0] = '\0';
	(void)fclose(f);
	return strstr(line, "[always]") != NULL || strstr(line, "[madvise]") != NULL;
}

enum status
pages_check(const struct spec *s, const char *root, struct fault *why)
{
	char		member[PROTOTYPE_NAME_MAX + 32];
	enum status	st;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		if (!s->args[i].is_operand || s->args[i].operand.pages != PAGES_HUGE ||
		    are_given(root))
			continue;
		(void)snprintf(member, sizeof member, "spec.args.%s.pages",
		    s->routine.params[i].name);
		st = fault_at(why, ST_BAD_SPEC, member,
		    "is \"huge\", but this host gives no huge pages (" SWITCH ")");
		fault_hint(why, "leave it out, or write madvise to that file");
		return st;
	}
	return ST_OK;
}

const char *
pages_found_name(enum pages_found p)
{
	static const char *const	names[PAGES_FOUND_N] = { NULL, "small", "huge", "mixed" };

	return names[p];
}
