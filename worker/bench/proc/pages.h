/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_PROC_PAGES_H
#define ASSAY_WORKER_BENCH_PROC_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/base/fault.h"
#include "proto/spec/spec.h"

/* The size of the pages that operands lie in, by the kernel's word: smaps in proc(5). */
enum pages_found { PAGES_FOUND_UNKNOWN, PAGES_FOUND_SMALL, PAGES_FOUND_HUGE, PAGES_FOUND_MIXED,
		    PAGES_FOUND_N };

/* Of the mappings in which the n addresses lie; UNKNOWN: nothing of it is in memory. */
void		 pages_find(FILE *smaps, const uint64_t *at, size_t n, enum pages_found *out);

/*
 * A block of less than this is never in a huge page, unless it asks for some: it has no whole one.
 */
#define PAGES_HUGE_BYTES	((uint64_t)2 << 20)

/* ST_BAD_SPEC: the spec asks for huge pages, and this host gives none.  root: "" the real one. */
enum status	 pages_check(const struct spec *, const char *root, struct fault *);

const char	*pages_found_name(enum pages_found);	/* NULL: unknown */

#endif
