/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_WEB_WEB_IMPL_H
#define ASSAY_DAEMON_WEB_WEB_IMPL_H

/* Of web.c and report.c alone. */
struct web {
	char	*script;	/* owned; all of the page's own */
	char	*chart;		/* owned; Chart.js, or a comment in its place */
};

#endif
