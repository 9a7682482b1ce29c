/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/read/file.h"

enum status
file_text(const char *path, size_t most, char **text, size_t *bytes, struct fault *why)
{
	FILE		*from = fopen(path, "re");
	enum status	 st = ST_OK;

	*text = NULL;
	if (from == NULL)
		return fault_at(why, errno == ENOENT ? ST_NOT_FOUND : ST_IO, path, "%s",
		    strerror(errno));
	if ((*text = malloc(most + 1)) == NULL) {
		(void)fclose(from);
		return fault_set(why, ST_NOMEM, "%s", path);
	}
	*bytes = fread(*text, 1, most + 1, from);
	if (ferror(from))
		st = fault_at(why, ST_IO, path, "%s", strerror(errno));
	(void)fclose(from);
	if (st == ST_OK)
		return ST_OK;
	free(*text);
	*text = NULL;
	return st;
}
