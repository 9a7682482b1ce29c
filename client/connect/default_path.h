/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_DEFAULT_PATH_H
#define ASSAY_CLIENT_CONNECT_DEFAULT_PATH_H

#include <limits.h>

#include "proto/base/fault.h"

/* Default places of sockets, state and programs. */

/*
 * The socket of the daemon to ask: $ASSAY_SOCKET; else the first that exists of
 * $XDG_RUNTIME_DIR/assay/assay.sock and assay.sock in this user's state directory; else the
 * system service's, /run/assay/assay.sock.
 */
void		 default_path_socket(char path[PATH_MAX]);

/*
 * The socket of a daemon that this user starts, for root as well:
 * $XDG_RUNTIME_DIR/assay/assay.sock, or without that variable assay.sock in the state directory.
 * False: there is neither, and the path is "".
 */
bool		 default_path_own_socket(char path[PATH_MAX]);

/*
 * Whether a private daemon may do for one that does not run: not if the user has named a host or a
 * socket (NULL: none), here or in $ASSAY_SOCKET.
 */
bool		 default_path_may_be_private(const char *host, const char *socket);

/*
 * This user's state directory: $XDG_STATE_HOME/assay or ~/.local/state/assay, for root as well,
 * since the system's directory belongs to the service.  False: the user has no home.
 *
 * With default_path_socket this is the one rule where results are: at the daemon that runs; while
 * none does, in the database of this directory, which `assay serve` serves, too.
 */
bool		 default_path_state(char path[PATH_MAX]);

/* One of Assay's programs: beside this executable, else on $PATH; ST_NOT_FOUND. */
enum status	 default_path_program(const char *name, char path[PATH_MAX], struct fault *);

#endif
