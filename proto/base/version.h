/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_VERSION_H
#define ASSAY_PROTO_BASE_VERSION_H

#define ASSAY_VERSION	"0.1.0"

#endif
