/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_AGENT_VDSO_H
#define ASSAY_CLIENT_AGENT_VDSO_H

#include "proto/wire/image.h"

#pragma GCC visibility push(hidden)

/*
 * Where in this process's vdso the clocks begin: libc keeps their addresses, which mean nothing
 * elsewhere.
 */
void	vdso_read(struct image_header *);

#pragma GCC visibility pop
#endif
