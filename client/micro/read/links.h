/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_LINKS_H
#define ASSAY_CLIENT_MICRO_READ_LINKS_H

#include "client/micro/model/micro.h"

/* What one node says of another can be checked only once all are read: links and their names. */
enum status	 links_check(const struct micro *, struct fault *);

#endif
