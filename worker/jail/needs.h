/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_JAIL_NEEDS_H
#define ASSAY_WORKER_JAIL_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does an object file name anything that it does not define?  The linker's own
 * _GLOBAL_OFFSET_TABLE_ aside.  true, too: it has sections that the C library's start files frame,
 * or it cannot be read.  The bytes may be anything.
 */
bool	 needs_others(const void *object, size_t bytes);
bool	 needs_others_file(const char *path);

#endif
