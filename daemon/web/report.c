/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/web/files.h"
#include "daemon/web/web_impl.h"

/*
 * The policy lets run what stands in this file, by its hash, and nothing else: if a browser took
 * some of the data for a script, it would not run.
 */
static void
put_head(const struct web *w, FILE *out)
{
	(void)fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "img-src data:; base-uri 'none'; form-action 'none'; script-src", out);
	web_put_hash(out, w->chart);
	web_put_hash(out, w->script);
	(void)fputs("; style-src", out);
	web_put_hash(out, files_style);
	(void)fputs("\">\n<meta name=\"viewport\" content=\"width=device-width, "
	    "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n<title>Assay: report</title>\n"
	    "<link rel=\"icon\" href=\"data:,\">\n<style>", out);
	(void)fputs(files_style, out);
	(void)fputs("</style>\n</head>\n", out);
}

/*
 * In a script element, "<" may end it or begin a comment: as \u003c it is the same to JSON.
 * Outside of strings JSON has none.
 */
static int
put_safely(const char *text, size_t n, void *out)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == '<' ? fputs("\\u003c", out) == EOF : putc(text[i], out) == EOF)
			return -1;
	return 0;
}

static void
put_body(const struct web *w, const json_t *data, FILE *out)
{
	(void)fputs("<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
	    "<header class=\"top\"><span class=\"brand\">Assay</span>"
	    "<nav aria-label=\"Pages\" id=\"nav\"></nav>"
	    "<span class=\"live\" id=\"live\" role=\"status\"></span></header>\n"
	    "<main id=\"main\" tabindex=\"-1\"><noscript><p>This report needs JavaScript.</p>"
	    "</noscript></main>\n<footer id=\"foot\"></footer>\n"
	    "<script type=\"application/json\" id=\"data\">", out);
	(void)json_dump_callback(data, put_safely, out, JSON_COMPACT);
	(void)fputs("</script>\n<script>", out);
	(void)fputs(w->chart, out);
	(void)fputs("</script>\n<script>", out);
	(void)fputs(w->script, out);
	(void)fputs("</script>\n</body>\n</html>\n", out);
}

char *
web_report(const struct web *w, const json_t *data)
{
	char	*text = NULL;
	size_t	 bytes;
	FILE	*out = open_memstream(&text, &bytes);
	bool	 ok;

	if (out == NULL)
		return NULL;
	put_head(w, out);
	put_body(w, data, out);
	ok = ferror(out) == 0;
	if (fclose(out) == 0 && ok)
		return text;
	free(text);
	return NULL;
}
