/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_WRITE_ELEMENT_H
#define ASSAY_CLIENT_MICRO_WRITE_ELEMENT_H

#include "client/micro/machine/instruction.h"
#include "client/micro/model/micro.h"

/* Bytes of one number in memory for an instruction's operation: 4 of movaps, 8 of movsd. */
unsigned	 element_bytes(const struct pattern *);
/* By how much --vector widens what it moves. */
struct scale	 pattern_scale(const struct target *, const struct pattern *);
/* Bytes that the instruction moves from or to memory: 16 of movaps with %xmm, 64 with %zmm. */
unsigned	 access_bytes(const struct pattern *);

#endif
