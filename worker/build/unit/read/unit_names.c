/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/build/unit/read/unit_attributes.h"
#include "worker/build/unit/read/unit_names.h"
#include "worker/build/unit/read/unit_words.h"

bool
unit_names_add(struct unit_names *all, const char *at, size_t n)
{
	char	*name = all->name[all->n % UNIT_NAMES_MOST];

	for (size_t i = 0; i < all->n; i++)
		if (unit_is_word(at, n, all->name[i]))
			return true;
	if (n == 0 || n > NAME_MAX_BYTES || all->n == UNIT_NAMES_MOST || *at == '_')
		return false;
	memcpy(name, at, n);
	name[n] = '\0';
	if (name_check_routine(name, NULL) != ST_OK)
		return false;
	all->n++;
	return true;
}

/* The words of a directive that a macro could change or hide. */
static size_t
directive_bytes(const char *line)
{
	const char	*name = unit_directive(line, "define");

	if (name != NULL)
		return (size_t)(name - line) + unit_word_bytes(name);
	return unit_directive(line, "include") != NULL ? 0 : strcspn(line, "\n");
}

bool
unit_names_fit(const struct unit_names *all, const char *clean)
{
	for (size_t i = 0; i < all->n; i++) {
		if (unit_attributes_has(all->name[i]))
			return false;
		for (const char *line = clean; *line != '\0'; line = unit_next_line(line))
			if (*unit_skip_blanks(line) == '#' &&
			    name_is_in(all->name[i], line, directive_bytes(line)))
				return false;
	}
	return true;
}
