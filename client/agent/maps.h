/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_AGENT_MAPS_H
#define ASSAY_CLIENT_AGENT_MAPS_H

#include <stdint.h>

#include "proto/wire/image.h"

#pragma GCC visibility push(hidden)

/*
 * The memory of this process that an image has: all that can be read but vvar and vsyscall; where
 * vdso is goes into the header.  Returns how many segments, or a negated errno.
 */
int	maps_read(struct image_segment *, uint32_t most, struct image_header *);

/* The same of a text like /proc/self/maps, terminated; it is changed. */
int	maps_parse(char *text, struct image_segment *, uint32_t most, struct image_header *);

#pragma GCC visibility pop
#endif
