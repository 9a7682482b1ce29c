/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_HOLDER_H
#define ASSAY_DAEMON_SETUP_HOLDER_H

#include <stdbool.h>

/*
 * The process that holds an exclusive flock(2) on an open file, by /proc/locks: "process 41
 * (assayd)".  False: there is none, or it is in another PID namespace; the text is "".
 */
enum { HOLDER_BYTES = 64 };

bool	 holder_of(int fd, char text[HOLDER_BYTES]);

#endif
