/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_FILE_H
#define ASSAY_CLIENT_MICRO_READ_FILE_H

#include <stddef.h>

#include "proto/base/fault.h"

/* A file's bytes, owned by the caller: at most `most`, and one more if it has more. */
enum status	 file_text(const char *path, size_t most, char **text, size_t *bytes,
		    struct fault *);

#endif
