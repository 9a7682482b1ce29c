/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PLUGIN_LOAD_H
#define ASSAY_CLIENT_MICRO_PLUGIN_LOAD_H

#include "client/micro/model/micro.h"

/*
 * Load a plugin into this process, and have it change the list of passes.  Its code runs from here
 * on: only in a process that was made for it.
 */
enum status	 plugin_load(const char *file, struct micro *, struct fault *);

#endif
