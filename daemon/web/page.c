/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page as it is sent.  Its style and the script that asks for the first data stand in it: a
 * browser asks for the data when it has the page, not one answer later.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/web/files.h"
#include "daemon/web/web_impl.h"

void
web_put_hash(FILE *out, const char *text)
{
	char	*hash = packed_hash(text);

	if (hash != NULL)
		(void)fprintf(out, " '%s'", hash);
	free(hash);
}

static void
put_page(FILE *out)
{
	const char	*rest = strstr(files_page, "</head>");

	(void)fwrite(files_page, 1, (size_t)(rest - files_page), out);
	(void)fprintf(out, "<style>%s</style>\n<script>%s</script>\n%s", files_style, files_early,
	    rest);
}

/* What the page may load and run: files of this daemon, and what stands in it. */
static void
put_policy(FILE *out)
{
	(void)fputs("default-src 'self'; img-src 'self' data:; object-src 'none'; "
	    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'self'", out);
	web_put_hash(out, files_early);
	(void)fputs("; style-src 'self'", out);
	web_put_hash(out, files_style);
}

static char *
text_of(void (*put)(FILE *))
{
	char	*text = NULL;
	size_t	 bytes;
	FILE	*out = open_memstream(&text, &bytes);
	bool	 ok;

	if (out == NULL)
		return NULL;
	put(out);
	ok = ferror(out) == 0;
	if (fclose(out) == 0 && ok)
		return text;
	free(text);
	return NULL;
}

char *
web_page_text(void)
{
	return text_of(put_page);
}

char *
web_page_policy(void)
{
	return text_of(put_policy);
}
