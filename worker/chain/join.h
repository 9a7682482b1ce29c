/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_JOIN_H
#define ASSAY_WORKER_CHAIN_JOIN_H

#include "proto/wire/runner_shm.h"

/*
 * Make one sample of two; a disturbance of either disturbs it.  Faults, switches, migrations and
 * proofs add up.  Of the canaries the worse one stays, with its pace.  Ticks and sentinel are not
 * touched.
 */
void		 join_samples(struct runner_sample *to, const struct runner_sample *other);

/* Readings of both. */
void		 join_proofs(struct runner_proof *to, const struct runner_proof *other);

#endif
