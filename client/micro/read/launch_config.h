/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_LAUNCH_CONFIG_H
#define ASSAY_CLIENT_MICRO_READ_LAUNCH_CONFIG_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * A configuration file of MicroLauncher, <microlaunch><config><metaRepetition value="100"/>…: a
 * list of { name, line } and, where there is one, value.  New reference.  Names are not looked up.
 * ST_BAD_SPEC: with the line, what cannot be read.
 */
enum { LAUNCH_CONFIG_MAX_BYTES = 1 << 16, LAUNCH_CONFIG_MAX_OPTIONS = 256 };

enum status	 launch_config_parse(const char *path, const char *text, size_t bytes,
		    json_t **options, struct fault *);
enum status	 launch_config_load(const char *path, json_t **options, struct fault *);

#endif
