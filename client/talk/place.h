/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TALK_PLACE_H
#define ASSAY_CLIENT_TALK_PLACE_H

#include <limits.h>

#include "proto/base/fault.h"

/* Where things are when nobody says.  Paths are written into buffers of PATH_MAX. */

/* Where a daemon is asked: $ASSAY_SOCKET, else the first of the places below that exists, else the system service's. */
void		 place_socket(char path[PATH_MAX]);

/*
 * Where a daemon that this user starts listens: root /run/assay/assay.sock, others $XDG_RUNTIME_DIR/assay/assay.sock,
 * or assay.sock in their state directory where there is no such variable.
 */
void		 place_own_socket(char path[PATH_MAX]);

/*
 * This user's own state: $XDG_STATE_HOME/assay or ~/.local/state/assay; false: there is no such place.  For root, too:
 * the system's belongs to the service.
 */
bool		 place_state(char path[PATH_MAX]);

/* A program of ours: beside this executable, else on $PATH; ST_NOT_FOUND. */
enum status	 place_program(const char *name, char path[PATH_MAX], struct fault *);

#endif
