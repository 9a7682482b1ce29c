/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TALK_TALK_H
#define ASSAY_CLIENT_TALK_TALK_H

#include <jansson.h>

#include "client/print/cli.h"

/* A daemon to ask: on its Unix socket, or over HTTP where -H says so (read-only). */
struct talk;

enum status	 talk_open(struct talk **, const struct cli *, struct fault *);
enum status	 talk_open_socket(struct talk **, const char *path, struct fault *);
void		 talk_free(struct talk *);

bool		 talk_is_http(const struct talk *);
void		 talk_stop_on_interrupt(struct talk *, bool);	/* Ctrl-C ends a call in progress with ST_CANCELLED */

/* `params` is taken, NULL for none.  As assay_call. */
enum status	 talk_call(struct talk *, const char *method, json_t *params, json_t **result, struct fault *);
/* The same for a call whose reply may rightly take wait_ms. */
enum status	 talk_call_waiting(struct talk *, int wait_ms, const char *method, json_t *params, json_t **result,
		    struct fault *);
/* As assay_next_notification; only on a socket. */
enum status	 talk_next(struct talk *, int timeout_ms, json_t **params, struct fault *);

/* A sweep as people write it: a number is its id, anything else its name.  New reference; NULL: no memory. */
json_t		*talk_sweep(const char *word);
/* Ids given as words; new reference. */
enum status	 talk_ids(const struct cli_list *words, json_t **ids, struct fault *);

#endif
