/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_CONFINE_H
#define ASSAY_CLIENT_MICRO_DECODE_CONFINE_H

#include <sys/types.h>

#include <stdbool.h>

enum { CONFINE_SECONDS = 60, CONFINE_OBJECT_MIB = 256, CONFINE_MEMORY_MIB = 1024 };

/*
 * Of a process that is about to become `program`: limits of time, memory and size; it dies with
 * `parent`.  Where the kernel has Landlock, it opens nothing but the system's own programs and
 * libraries, those beside `program`, and its descriptors.  Returns false if the parent is gone.
 */
bool	 confine(pid_t parent, const char *program);

#endif
