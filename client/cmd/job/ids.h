/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_IDS_H
#define ASSAY_CLIENT_CMD_JOB_IDS_H

#include <jansson.h>

#include "client/print/cli.h"

/* A sweep by id, if it is a number, or by name.  New reference; NULL: no memory. */
json_t		*ids_sweep(const char *word);
/* A list of the ids in words; new reference. */
enum status	 ids_parse(const struct cli_list *words, json_t **ids, struct fault *);
/* A user by number, or by a name that the daemon knows.  New reference; NULL: no memory. */
json_t		*ids_user(const char *word);

#endif
