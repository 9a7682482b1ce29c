/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_SIZES_H
#define ASSAY_WORKER_PLAN_SIZES_H

#include "proto/spec/spec.h"
#include "worker/plan/slot.h"

/*
 * Bytes of memory that must be read, or walked through, to drive operands out of a slot's caches.
 * Bytes that the operands of one call take.
 */
enum {
	/* times a last-level cache: a victim cache that is not quite LRU needs as much */
	SIZES_LRU_CACHES	= 8,
	SIZES_TABLES_PART	= 4,	/* of a calibrated flush, for page tables */
	SIZES_LEVEL_CACHES	= 4,	/* times an inner cache that is flushed alone */
	SIZES_MULTI_CACHES	= 4,	/* times the largest cache: all working sets together */
};

#define SIZES_DEFAULT	((uint64_t)1 << 30)

uint64_t	 sizes_cache(const struct slot *, enum cache_state);	/* 0: none */
uint64_t	 sizes_largest_cache(const struct slot *);

/*
 * Where nothing is calibrated: so many times the largest cache, but no more than SIZES_DEFAULT, or
 * twice the cache if that is more.  A virtual machine may report the caches of its whole host.
 */
uint64_t	 sizes_by_default(const struct slot *, unsigned caches);

/*
 * Bytes to read before data have left a cache and those inside it: by calibration, else a multiple
 * of the cache.
 */
uint64_t	 sizes_to_leave(enum cache_state, const struct slot *);

/*
 * Bytes to read in small pages before page tables have left all caches.  A few lines of tables that
 * stay change a time little, so less will do than for operands.
 */
uint64_t	 sizes_of_tables(const struct slot *);

/* Bytes to flush: the spec's, else so many times the largest cache. */
uint64_t	 sizes_to_flush(const struct spec *, const struct slot *, unsigned caches);
/* the spec has a size, even if it leaves data in caches */
bool		 sizes_are_given(const struct spec *);
/* and that is less than all caches need */
bool		 sizes_are_partial(const struct spec *, const struct slot *);

/* CPUs with private caches that may hold a routine's operands (section 5.6). */
unsigned	 sizes_cpus(const struct slot *);

/*
 * Bytes that a call's operands take, if their bit is set in `moving`: of the caches, by lines that
 * are touched, and of memory (W38).
 */
void		 sizes_of_call(const struct spec *, const struct slot *, uint64_t moving,
		    uint64_t *cached, uint64_t *spaced);

#endif
