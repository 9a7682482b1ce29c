/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_TURN_H
#define ASSAY_DAEMON_SETUP_TURN_H

#include "proto/base/fault.h"

/*
 * Wait until the first of n open files is locked with an exclusive flock(2); *got is its index.  Of
 * the other files some may be locked as well: the caller closes them.  The waiting process takes no
 * CPU time.
 *
 * ST_CANCELLED: end_fd, a pipe or a socket, has reached its end; -1: there is none.
 */
enum status	 turn_await(const int *fd, unsigned n, int end_fd, unsigned *got, struct fault *);

#endif
