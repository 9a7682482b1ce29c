/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_SPAWN_CONTAINMENT_H
#define ASSAY_WORKER_SPAWN_CONTAINMENT_H

#include "proto/wire/hello.h"

/*
 * The containment of this worker's compilers and variants.  The first call makes a jail to try it
 * out.
 */
struct containment	containment_now(void);
struct jail_report	containment_details(void);

#endif
