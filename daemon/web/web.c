/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/web/files.h"
#include "daemon/web/web.h"
#include "daemon/web/web_impl.h"
#include "proto/base/log.h"

enum { CHART_BYTES = 4 << 20 };

/* All scripts as one, with names of their own. */
static char *
join_scripts(void)
{
	static const char	head[] = "(() => {\n\"use strict\";\n", tail[] = "})();\n";
	size_t			bytes = sizeof head + sizeof tail;
	char			*all, *p;

	for (size_t i = 0; files_scripts[i] != NULL; i++)
		bytes += strlen(files_scripts[i]);
	if ((all = malloc(bytes)) == NULL)
		return NULL;
	p = stpcpy(all, head);
	for (size_t i = 0; files_scripts[i] != NULL; i++)
		p = stpcpy(p, files_scripts[i]);
	(void)stpcpy(p, tail);
	return all;
}

/* NULL: errno says why. */
static char *
read_text(const char *path)
{
	FILE	*f = fopen(path, "re");
	char	*text = f != NULL ? malloc(CHART_BYTES) : NULL;
	size_t	 n = text != NULL ? fread(text, 1, CHART_BYTES, f) : 0;
	bool	 ok = text != NULL && n > 0 && n < CHART_BYTES && ferror(f) == 0 &&
		    memchr(text, '\0', n) == NULL;

	if (f != NULL)
		(void)fclose(f);
	if (!ok) {
		if (f != NULL)
			errno = EINVAL;
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

/* Without it, the page says so. */
static char *
read_chart(const char *path)
{
	char	*text = path[0] != '\0' ? read_text(path) : NULL;

	if (text == NULL && path[0] != '\0')
		log_warn("chart-js=%s %s: pages show tables in the place of charts", path,
		    strerror(errno));
	return text != NULL ? text : strdup("/* Chart.js is not installed here. */\n");
}

enum status
web_new(struct web **out, const char *chart_js, struct fault *why)
{
	struct web	*w = calloc(1, sizeof *w);

	*out = NULL;
	if (w == NULL || (w->script = join_scripts()) == NULL ||
	    (w->chart = read_chart(chart_js)) == NULL) {
		web_free(w);
		return fault_set(why, ST_NOMEM, "web");
	}
	*out = w;
	return ST_OK;
}

void
web_free(struct web *w)
{
	if (w == NULL)
		return;
	free(w->script);
	free(w->chart);
	free(w);
}

static struct web_file
file(const char *type, const char *text)
{
	return (struct web_file){ type, text, strlen(text) };
}

bool
web_find(const struct web *w, const char *name, struct web_file *out)
{
	const struct {
		const char	*name;
		const char	*type, *text;
	} all[] = {
		{ "assay.js", "text/javascript; charset=utf-8", w->script },
		{ "early.js", "text/javascript; charset=utf-8", files_early },
		{ "chart.js", "text/javascript; charset=utf-8", w->chart },
		{ "assay.css", "text/css; charset=utf-8", files_style },
		{ "icon.svg", "image/svg+xml", files_icon },
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (strcmp(all[i].name, name) == 0) {
			*out = file(all[i].type, all[i].text);
			return true;
		}
	}
	return false;
}

struct web_file
web_page(const struct web *w)
{
	(void)w;
	return file("text/html; charset=utf-8", files_page);
}
