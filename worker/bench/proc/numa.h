/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROC_NUMA_H
#define ASSAY_WORKER_BENCH_PROC_NUMA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/base/fault.h"
#include "proto/spec/spec.h"
#include "proto/wire/report.h"
#include "proto/wire/runner_shm.h"

/*
 * The NUMA node that owns the memory of operands, by the actual place of their pages.  Source:
 * numa_maps in proc_pid_numa_maps(5).
 */
/*
 * The one node that has every page of the mappings in which the n addresses lie.  NODE_MIXED: there
 * are several.  NODE_UNKNOWN: n is 0, or the kernel does not report one of them.
 */
int		 numa_owner(FILE *numa_maps, const uint64_t *at, size_t n);

/*
 * The node that owns all memory there is, of a list such as has_memory below
 * /sys/devices/system/node.  NODE_UNKNOWN: there are several, or the kernel does not report it.
 */
int		 numa_only(FILE *has_memory);

/*
 * The nodes that the spec asks for, of each operand; -1: of any.  `cpu` is the timing CPU.
 * ST_BAD_SPEC: there is no such node.  root: where /sys begins; "" the real one.
 */
enum status	 numa_choose(const struct spec *, const char *root, int cpu,
		    int32_t node[RUNNER_OPERANDS], struct fault *);

#endif
