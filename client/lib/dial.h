/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_DIAL_H
#define ASSAY_CLIENT_LIB_DIAL_H

#include <sys/types.h>

#include "client/lib/address.h"

/* Streams to a daemon. */

/* A Unix socket's, which does not block; -1: *why. */
int	 dial_unix(const char *path, struct assay_error *why);

/*
 * One through ssh(1), which runs `assay dial-stdio` on the other host: *pid.  Its standard error is
 * this process's.  It never asks for a password, and ends when the stream is closed.
 */
int	 dial_ssh(const struct address *, pid_t *pid, struct assay_error *why);

/* The stream has ended: why?  Ends ssh if it still runs.  Always -1. */
int	 dial_explain_ssh(const struct address *, pid_t *pid, struct assay_error *why);
void	 dial_end_ssh(pid_t *pid);		/* 0: there is none */

#endif
