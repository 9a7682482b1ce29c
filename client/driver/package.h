/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DRIVER_PACKAGE_H
#define ASSAY_CLIENT_DRIVER_PACKAGE_H

#include "proto/driver/draft.h"

/*
 * The sources of a timer that runs without Assay: jobs of one spec, a variant each.
 */
struct package {
	const struct job	*jobs;		/* borrowed */
	size_t			 n;
	const char		*remarks;	/* borrowed: lines on members left out; "": none */
};

enum { PACKAGE_REMARKS_BYTES = 4096 };

/*
 * What the timer cannot do is refused, or remarked on where a time without it still means
 * something: lines "spec.timing.gate: …", at most `bytes`.
 */
enum status	 limits_check(const struct job *, char *remarks, size_t bytes, struct fault *);

/* Written into `path`, a new or empty directory. */
enum status	 package_write(const struct package *, const char *path, struct fault *);

/* Its texts. */
void		 spec_text(struct draft *, const struct package *);
void		 makefile_text(struct draft *, const struct package *);

/* What names a variant's files: "variant", "reference"; with a suffix for its language. */
void		 package_source_name(const struct variant *, char *buf, size_t bytes);
/* The folder of the i-th variant; SIZE_MAX: of the reference. */
enum { PACKAGE_FOLDER_BYTES = 40 };
void		 package_folder(size_t i, char buf[PACKAGE_FOLDER_BYTES]);
#endif
