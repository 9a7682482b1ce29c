/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_CONFIG_RELOAD_H
#define ASSAY_DAEMON_SETUP_CONFIG_RELOAD_H

#include "daemon/setup/config.h"

/*
 * The configuration while the daemon runs.  Flags and file are read again; settings that can change
 * at run time are changed in place, all others keep their value until a restart.
 */

/* For each setting that differs; taken false: it needs a restart. */
typedef void	 config_differs_fn(void *arg, const char *setting, bool taken);

/* A fault, with the file's line, leaves the configuration as it is. */
enum status	 config_reload(struct config *, int argc, char **argv, config_differs_fn *,
		    void *arg, struct fault *);
/* Does config_reload compare this setting? */
bool		 config_reload_knows(const char *setting);

#endif
