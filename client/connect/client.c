/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "client/connect/client.h"

/* A word of another version is a fault of unknown kind. */
enum status
client_fault(struct fault *why, const struct assay_error *e)
{
	enum status	st;

	if (!status_from_word(&st, e->word) || st == ST_OK)
		st = ST_INTERNAL;
	(void)fault_at(why, st, e->member, "%s", e->text);
	if (e->hint[0] != '\0')
		fault_hint(why, "%s", e->hint);
	return st;
}

/* `text` is taken. */
static enum status
parse(char *text, json_t **value, struct fault *why)
{
	json_error_t	error;

	*value = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	free(text);
	return *value != NULL ? ST_OK : fault_set(why, ST_IO, "the daemon's reply is no JSON: %s",
	    error.text);
}

enum status
client_call(struct assay *a, const char *method, const json_t *params, json_t **result,
    struct fault *why)
{
	char			*text = NULL, *reply;
	struct assay_error	 e;

	*result = NULL;
	if (params != NULL && (text = json_dumps(params, JSON_COMPACT)) == NULL)
		return fault_set(why, ST_NOMEM, "request");
	reply = assay_call(a, method, text, &e);
	free(text);
	return reply != NULL ? parse(reply, result, why) : client_fault(why, &e);
}

enum status
client_next(struct assay *a, int timeout_ms, json_t **params, struct fault *why)
{
	struct assay_error	 e;
	char			*text;

	*params = NULL;
	if (assay_next(a, timeout_ms, &text, &e) != 0)
		return client_fault(why, &e);
	return text != NULL ? parse(text, params, why) : ST_OK;
}

void
client_set_timeout(struct assay *a, int timeout_ms)
{
	char	number[16];

	(void)snprintf(number, sizeof number, "%d", timeout_ms);
	(void)assay_set(a, "timeout-ms", number, NULL);
}
