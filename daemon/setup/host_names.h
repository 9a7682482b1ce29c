/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_HOST_NAMES_H
#define ASSAY_DAEMON_SETUP_HOST_NAMES_H

#include <stdbool.h>
#include <sys/types.h>

#include "daemon/setup/user.h"

/*
 * Names of the host's users, without waiting.  /etc/passwd is read at once.  All else that the host
 * may have for names, such as a directory on the network, may take long and is asked on a thread:
 * until it has answered, the user has no name.  Any thread.
 */
struct host_names;

struct host_names *host_names_new(void);		/* NULL: no memory */
/* NULL is fine; a thread that asks goes on until it has its answer. */
void		 host_names_free(struct host_names *);
/* Of all; until there is an answer, the old ones count. */
void		 host_names_ask_again(struct host_names *);
/* "": the user has none that can be shown, or none yet. */
void		 host_names_find(struct host_names *, uid_t, char buf[USER_NAME_BYTES]);
/* By /etc/passwd alone, as all else may take long.  false: it does not have this name. */
bool		 host_names_number(const char *name, uid_t *);

#endif
