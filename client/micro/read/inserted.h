/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_INSERTED_H
#define ASSAY_CLIENT_MICRO_READ_INSERTED_H

#include "client/micro/model/micro.h"

enum { INSERTED_MAX_BYTES = 65536 };

/*
 * The text of a file that <insert_code> names, at or below the description's folder: an absolute
 * path, one with "..", a hidden file or a link is refused.
 */
enum status	 inserted_read(const struct micro *, struct place, const char *name,
		    const char **text, struct fault *);

#endif
