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

static void
name_files(struct web *w)
{
	const struct web_file	all[WEB_FILES] = {
		{ .name = "", .type = "text/html; charset=utf-8", .text = w->page },
		{ .name = "assay.js", .type = "text/javascript; charset=utf-8", .text = w->script },
		{ .name = "chart.js", .type = "text/javascript; charset=utf-8", .text = w->chart },
		{ .name = "icon.svg", .type = "image/svg+xml", .text = files_icon },
	};

	(void)memcpy(w->file, all, sizeof all);
	for (size_t i = 0; i < WEB_FILES; i++)
		w->file[i].bytes = strlen(w->file[i].text);
}

enum status
web_new(struct web **out, const char *chart_js, struct fault *why)
{
	struct web	*w = calloc(1, sizeof *w);

	*out = NULL;
	if (w == NULL || (w->script = join_scripts()) == NULL ||
	    (w->chart = read_chart(chart_js)) == NULL || (w->page = web_page_text()) == NULL ||
	    (w->policy = web_page_policy()) == NULL) {
		web_free(w);
		return fault_set(why, ST_NOMEM, "web");
	}
	name_files(w);
	*out = w;
	return ST_OK;
}

void
web_free(struct web *w)
{
	if (w == NULL)
		return;
	for (size_t i = 0; i < WEB_FILES; i++)
		free(w->file[i].gzip);
	free(w->script);
	free(w->chart);
	free(w->page);
	free(w->policy);
	free(w);
}

/* Some ten milliseconds for the largest, once. */
static const struct web_file *
packed(struct web_file *f)
{
	if (f->tag[0] == '\0' && packed_tag(f->tag, f->text, f->bytes))
		f->gzip = packed_gzip(f->text, f->bytes, PACKED_SMALL, &f->ngzip);
	return f;
}

const struct web_file *
web_page(struct web *w)
{
	return packed(&w->file[0]);
}

const struct web_file *
web_find(struct web *w, const char *name)
{
	for (size_t i = 1; i < WEB_FILES; i++)
		if (strcmp(w->file[i].name, name) == 0)
			return packed(&w->file[i]);
	return NULL;
}

const char *
web_policy(const struct web *w)
{
	return w->policy;
}
