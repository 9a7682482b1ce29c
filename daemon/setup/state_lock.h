/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_STATE_LOCK_H
#define ASSAY_DAEMON_SETUP_STATE_LOCK_H

#include <stdbool.h>

#include "proto/base/fault.h"

/*
 * One daemon per state directory: it holds a lock (F_OFD_SETLK of fcntl(2)) on the file DIR/lock.
 * The lock ends with the process, so a crash leaves nothing behind.  The file has a line with the
 * socket of its holder, for clients that look for results.
 *
 * A holder that only answers questions is over soon, and is waited for.
 */
enum status	 state_lock(const char *dir, const char *socket_path, bool answers_only,
		    struct fault *);	/* ST_CONFLICT: another daemon has it */

#endif
