/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_PATH_H
#define ASSAY_PROTO_BASE_PATH_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * One of Assay's own programs: beside this process's executable, in the directory above (a build
 * tree's tests), or where installation puts it relative to that, ../libexec/assay or ../../bin.
 * ST_INTERNAL: it is in none of these.
 */
enum status	 path_program(const char *name, char *buf, size_t bytes, struct fault *);

/*
 * mkdir -p: the directories above the last slash of `path`, each with this mode.  Existing ones
 * stay as they are.
 */
enum status	 path_make_above(const char *path, unsigned mode, struct fault *);
/* The last, too; those above it are 0755. */
enum status	 path_make(const char *path, unsigned mode, struct fault *);

#endif
