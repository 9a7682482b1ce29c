/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_DEFAULT_PATH_H
#define ASSAY_CLIENT_CONNECT_DEFAULT_PATH_H

#include <limits.h>

#include "proto/base/fault.h"

/* Where things are when nobody says.  Paths are written into buffers of PATH_MAX. */

/* Where a daemon is asked: $ASSAY_SOCKET, else the first of the places below that exists, else the system service's. */
void		 default_path_socket(char path[PATH_MAX]);

/*
 * Where a daemon that this user starts listens: root /run/assay/assay.sock, others $XDG_RUNTIME_DIR/assay/assay.sock,
 * or assay.sock in their state directory where there is no such variable.
 */
void		 default_path_own_socket(char path[PATH_MAX]);

/*
 * This user's own state: $XDG_STATE_HOME/assay or ~/.local/state/assay; false: there is no such place.  For root, too:
 * the system's belongs to the service.
 */
bool		 default_path_state(char path[PATH_MAX]);

/* A program of ours: beside this executable, else on $PATH; ST_NOT_FOUND. */
enum status	 default_path_program(const char *name, char path[PATH_MAX], struct fault *);

#endif
