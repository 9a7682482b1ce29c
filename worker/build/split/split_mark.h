/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_SPLIT_SPLIT_MARK_H
#define ASSAY_WORKER_BUILD_SPLIT_SPLIT_MARK_H

/* Behind a name that a version defines, and before the version's number: "f__assay3". */
#define SPLIT_MARK	"__assay"
enum { SPLIT_MOST = 16, SPLIT_SUFFIX_BYTES = 8 };

#endif
