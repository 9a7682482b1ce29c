/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_EVIDENCE_OPERANDS_H
#define ASSAY_WORKER_EVIDENCE_OPERANDS_H

#include "proto/spec/spec.h"
#include "proto/wire/report.h"
#include "worker/bench/bench.h"

/*
 * The technique's `operands`: each as it was when a call began.  Two results of a sweep that differ
 * in nothing else differ here.  Texts are the spec's; `lodging` is of each operand;
 * NULL: not known.  false: no memory.
 */
bool		 operands_report(const struct spec *, const struct bench_lodging *lodging,
		    struct shape_list *);

#endif
