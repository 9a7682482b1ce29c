/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_WEB_WEB_H
#define ASSAY_DAEMON_WEB_WEB_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * The dashboard: one page, which finds by its address what to show, and its files.  They are part
 * of the program, but for Chart.js, which is read from the host when the daemon starts.
 */
struct web;

/* chart_js: a path; "" or a file that cannot be read: pages have tables in the place of charts. */
enum status	 web_new(struct web **, const char *chart_js, struct fault *);
void		 web_free(struct web *);	/* NULL is fine */

struct web_file {
	const char	*type;		/* of its content; static */
	const char	*text;		/* the web's */
	size_t		 bytes;
};
/* One of the files that the page names; false: there is none of that name. */
bool		 web_find(const struct web *, const char *name, struct web_file *);
struct web_file	 web_page(const struct web *);

/* What the page may load, for its header. */
#define WEB_POLICY	"default-src 'self'; img-src 'self' data:; object-src 'none'; "	\
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/*
 * The page as one file with its data, which needs neither a daemon nor a network.  The data are a
 * JSON object; whatever it holds, none of it is markup.
 */
char		*web_report(const struct web *, const json_t *data);	/* owned; NULL: no memory */

#endif
