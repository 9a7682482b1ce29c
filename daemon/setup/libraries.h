/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_LIBRARIES_H
#define ASSAY_DAEMON_SETUP_LIBRARIES_H

#include "proto/spec/spec.h"

/*
 * The administrator's list, "openblas fftw=/usr/lib/libfftw3.so", as builders get it
 * (proto/text/library_list.h): a name alone becomes lib<NAME>.so, or the like with a version, in
 * the directories that linkers search.  *out is replaced; owned by the caller.  ST_BAD_REQUEST: an
 * entry makes no sense, or there is no such file.
 */
enum status	 libraries_resolve(const char *list, char **out, struct fault *);

/* `member` is the variant's.  ST_BAD_SPEC: it names a library that is not on the list. */
enum status	 libraries_check(const char *list, const struct variant *, const char *member,
		    struct fault *);

#endif
