/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_JOB_ENCODE_H
#define ASSAY_TESTS_JOB_ENCODE_H

#include "proto/spec/spec.h"

/* A job as a document that decodes to the same job, with its defaults said.  New reference. */
json_t		*job_encode(const struct job *);

#endif
