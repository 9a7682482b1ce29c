/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STREAM_H
#define ASSAY_WORKER_STREAM_H

#include <stddef.h>

/*
 * A loud neighbour of Assay's own, for the calibration of the memory canary: reads and writes more
 * memory than the last cache holds, over and over, until descriptor `life` reaches its end, for a
 * minute at most.  Nothing if there is no memory.
 */
void		 stream_memory(size_t cache_bytes, int life);

#endif
