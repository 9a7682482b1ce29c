/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_CPUKIND_H
#define ASSAY_DAEMON_HOST_CPUKIND_H

#include "daemon/host/hostfs.h"
#include "proto/base/cpulist.h"

/*
 * The small cores of a hybrid host: CPUs below nine tenths of the fastest one, by the kernel's
 * cpu_capacity or else by their highest frequency.  Cores of one kind differ by less.  Empty: all
 * are of one kind, or the kernel reports neither.
 */
void	 cpukind_slow(const struct hostfs *, cpu_set_t *slow);

#endif
