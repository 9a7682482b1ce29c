/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_WEB_FILES_H
#define ASSAY_DAEMON_WEB_FILES_H

/* The files of daemon/web/page, each a text in the program. */
extern const char *const	files_scripts[];	/* one after the other, one program; NULL */
extern const char		files_page[] __attribute__((visibility("hidden")));
extern const char		files_early[] __attribute__((visibility("hidden")));
extern const char		files_style[] __attribute__((visibility("hidden")));
extern const char		files_icon[] __attribute__((visibility("hidden")));

#endif
