/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_AGENT_VDSO_H
#define ASSAY_CLIENT_AGENT_VDSO_H

#include "proto/wire/image.h"

#pragma GCC visibility push(hidden)

/*
 * Addresses of the clocks in this process's vdso. libc keeps them, and they mean nothing in another
 * process.
 */
void	vdso_read(struct image_header *);

#pragma GCC visibility pop
#endif
