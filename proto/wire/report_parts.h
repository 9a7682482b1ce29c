/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_REPORT_PARTS_H
#define ASSAY_PROTO_WIRE_REPORT_PARTS_H

#include "proto/json/shape.h"

/* Parts of a report with many rows, each in a file of its own. */
extern const struct shape	technique_shape, evidence_shape;

/* What ended the taking of samples. */
extern const char *const	report_end_words[];

#endif
