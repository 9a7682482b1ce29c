/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_AWAIT_H
#define ASSAY_CLIENT_LIB_AWAIT_H

#include <stdint.h>

#include "proto/base/status.h"

/*
 * ST_OK: `fd` is ready for `events` of poll(2); ST_UNAVAILABLE: not until deadline_ms;
 * ST_CANCELLED: stop_fd is readable.  fd -1: only wait.
 */
enum status	 await_fd(int fd, short events, int stop_fd, int64_t deadline_ms);
int64_t		 await_deadline_ms(int timeout_ms);		/* -1: never */

#endif
