/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_CONFIG_PARTS_H
#define ASSAY_DAEMON_SETUP_CONFIG_PARTS_H

#include "daemon/setup/config.h"
#include "proto/base/settings.h"

/* What config.c and the table of settings share. */
enum { CONFIG_MAX_SETTINGS = 64 };

extern const struct settings	config_settings;

enum status	 config_set_text(char **slot, const char *value, struct fault *);
setting_fn	 config_set_file, config_set_keep;

#endif
