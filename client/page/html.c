/* SPDX-License-Identifier: Apache-2.0 */
#include "client/page/html.h"

static const char	style[] =
"body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;"
"color:#1d2430;background:#fff}"
"h1{font-size:1.5rem;margin:0 0 .2rem}h2{font-size:1.1rem;margin:2rem 0 .4rem}"
"pre{background:#f3f5f8;padding:.8rem;overflow:auto;font-size:13px;border-radius:4px}"
"table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left;"
"vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}"
"svg{width:100%;height:auto;display:block}svg text{font:11px system-ui,sans-serif;fill:#586374}"
".axis{stroke:#c4cad3;fill:none}.best{stroke:#1a6fb5;stroke-width:2;fill:none}"
".dot{fill:#1a6fb5;fill-opacity:.55}.stop{fill:none;stroke:#a0a8b4}.win{fill:#c8452d}"
".line{fill:none;stroke-opacity:.5}.winline{fill:none;stroke:#c8452d;stroke-width:2.5}"
".key{color:#586374}"
"@media(prefers-color-scheme:dark){body{color:#e3e7ee;background:#14181f}pre{background:#1e242e}"
"svg text{fill:#9aa5b5}.axis{stroke:#3a4352}.key{color:#9aa5b5}}";

void
html_text(FILE *to, const char *text)
{
	for (; *text != '\0'; text++) {
		switch (*text) {
		case '&':
			(void)fputs("&amp;", to);
			break;
		case '<':
			(void)fputs("&lt;", to);
			break;
		case '>':
			(void)fputs("&gt;", to);
			break;
		case '"':
			(void)fputs("&quot;", to);
			break;
		case '\'':
			(void)fputs("&#39;", to);
			break;
		default:
			if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
				(void)fputc(*text, to);
			else
				(void)fputc('?', to);
		}
	}
}

void
html_begin(FILE *to, const char *title)
{
	(void)fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'unsafe-inline'\"><meta name=\"viewport\" "
	    "content=\"width=device-width\"><title>", to);
	html_text(to, title);
	(void)fprintf(to, "</title><style>%s</style></head><body>\n", style);
}

void
html_end(FILE *to)
{
	(void)fputs("</body></html>\n", to);
}

void
html_block(FILE *to, const char *tag, const char *text)
{
	(void)fprintf(to, "<%s>", tag);
	html_text(to, text);
	(void)fprintf(to, "</%s>\n", tag);
}
