/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_PAUSE_H
#define ASSAY_DAEMON_STORE_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

/* What is paused: all, a user's jobs, or those of a sweep. */
enum pause_kind { PAUSE_ALL, PAUSE_USER, PAUSE_SWEEP, PAUSE_NONE };

struct pause {
	enum pause_kind	 kind;
	int64_t		 id;		/* uid or sweep; 0 of all */
};

#endif
