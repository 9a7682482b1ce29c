/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_AGENT_MAPS_H
#define ASSAY_CLIENT_AGENT_MAPS_H

#include <stdint.h>

#include "proto/wire/image.h"

#pragma GCC visibility push(hidden)

/*
 * The memory of this process that belongs into an image: all that is readable but vvar and
 * vsyscall.  The place of vdso goes into the header.  Returns the number of segments, or a negated
 * errno.
 */
int	maps_read(struct image_segment *, uint32_t most, struct image_header *);

/* The same, of a text like /proc/self/maps.  The text is changed. */
int	maps_parse(char *text, struct image_segment *, uint32_t most, struct image_header *);

#pragma GCC visibility pop
#endif
