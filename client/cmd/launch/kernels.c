/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/cmd/job/document.h"
#include "client/cmd/launch/kernels.h"

static enum status
add_file(const char *path, json_t *variants, struct fault *why)
{
	json_t		*variant;
	enum status	 st = document_variant(path, &variant, why);

	if (st == ST_OK)
		(void)json_array_append_new(variants, variant);
	return st;
}

static int
is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static enum status
add_entry(const char *folder, const char *name, json_t *variants, struct fault *why)
{
	char	path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
		return fault_set(why, ST_BAD_REQUEST, "%s: the path is too long", folder);
	return add_file(path, variants, why);
}

static enum status
add_folder(const char *path, json_t *variants, struct fault *why)
{
	struct dirent	**entries;
	const int	  n = scandir(path, &entries, is_shown, alphasort);
	enum status	  st = ST_OK;

	if (n < 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		if (st == ST_OK)
			st = add_entry(path, entries[i]->d_name, variants, why);
		free(entries[i]);
	}
	free(entries);
	if (st == ST_OK && n == 0) {
		st = fault_set(why, ST_NOT_FOUND, "%s: has no kernel", path);
		fault_hint(why, "fill it: assay micro generate FILE.xml -o %s", path);
	}
	return st;
}

enum status
kernels_read(const struct cli_list *paths, json_t **out, struct fault *why)
{
	json_t		*variants = json_array();
	struct stat	 sb;
	enum status	 st = ST_OK;

	for (size_t i = 0; i < paths->n && st == ST_OK; i++)
		st = stat(paths->items[i], &sb) == 0 && S_ISDIR(sb.st_mode) ?
		    add_folder(paths->items[i], variants, why) :
		    add_file(paths->items[i], variants, why);
	if (st != ST_OK) {
		json_decref(variants);
		variants = NULL;
	}
	*out = variants;
	return st;
}
