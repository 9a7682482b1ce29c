/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_HOSTS_H
#define ASSAY_CLIENT_CONNECT_HOSTS_H

#include <limits.h>

#include "client/print/cli.h"

/*
 * What -H may say: the path of a Unix socket, an address, or a name that the file of hosts has one
 * for, in lines of name = address ($ASSAY_HOSTS or ~/.config/assay/hosts); or several: A,B.
 */
bool		 hosts_are_several(const struct cli *);

/* An address as it is; that of a name.  ST_NOT_FOUND: the file has no such name. */
enum status	 hosts_address(const char *name, char address[PATH_MAX], struct fault *);

#endif
