/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/print/output.h"

enum { INDENT = 2 };

static enum status
put(const json_t *doc, size_t flags, struct fault *why)
{
	if (doc == NULL || json_dumpf(doc, stdout, flags | JSON_ENCODE_ANY) != 0)
		return fault_set(why, doc == NULL ? ST_NOMEM : ST_IO, "standard output");
	(void)fputc('\n', stdout);
	return ST_OK;
}

enum status
output_document(const json_t *doc, struct fault *why)
{
	return put(doc, JSON_INDENT(INDENT), why);
}

enum status
output_line(const json_t *doc, struct fault *why)
{
	enum status	st = put(doc, JSON_COMPACT, why);

	(void)fflush(stdout);
	return st;
}

enum status
output_json(const struct cli *cli, const json_t *doc, struct fault *why)
{
	return cli->ndjson ? output_line(doc, why) : output_document(doc, why);
}

enum status
output_save(const json_t *doc, const char *path, struct fault *why)
{
	FILE		*f = fopen(path, "we");
	bool		 failed;

	if (f == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	failed = json_dumpf(doc, f, JSON_INDENT(INDENT)) != 0 || fputc('\n', f) == EOF;
	if (fclose(f) != 0 || failed)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	return ST_OK;
}

size_t
output_columns(void)
{
	struct winsize	size;

	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ?
	    size.ws_col : 0;
}

bool
output_finish(void)
{
	return fflush(stdout) == 0 && ferror(stdout) == 0;
}
