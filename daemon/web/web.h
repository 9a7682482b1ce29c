/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_WEB_WEB_H
#define ASSAY_DAEMON_WEB_WEB_H

#include <jansson.h>

#include "daemon/web/packed.h"
#include "proto/base/fault.h"

/*
 * The dashboard: one page, which finds by its address what to show, and its files.  They are part
 * of the program, but for Chart.js, which is read from the host when the daemon starts.
 */
struct web;

/* chart_js: a path; "" or a file that cannot be read: pages have tables in the place of charts. */
enum status	 web_new(struct web **, const char *chart_js, struct fault *);
void		 web_free(struct web *);	/* NULL is fine */

/* A file, and the forms in which it is sent. */
struct web_file {
	const char	*name;
	const char	*type;		/* of its content */
	const char	*text;
	size_t		 bytes;
	char		 tag[PACKED_TAG];	/* empty: no memory for it */
	unsigned char	*gzip;		/* NULL: it has no compressed form */
	size_t		 ngzip;
};
/* They are the web's, compressed when they are first asked for. */
const struct web_file	*web_page(struct web *);
const struct web_file	*web_find(struct web *, const char *name);	/* NULL: there is none */
const char		*web_policy(const struct web *);	/* what the page may load and run */

/*
 * The page as one file with its data, which needs neither a daemon nor a network.  The data are a
 * JSON object; whatever it holds, none of it is markup.
 */
char		*web_report(const struct web *, const json_t *data);	/* owned; NULL: no memory */

#endif
