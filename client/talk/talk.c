/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "client/lib/assay.h"
#include "client/talk/interrupt.h"
#include "client/talk/place.h"
#include "client/talk/talk.h"

struct talk {
	struct assay_conn	*conn;		/* owned; one of the two */
	struct assay_http	*http;		/* owned */
};

static enum status
talk_new(struct talk **out, struct fault *why)
{
	*out = calloc(1, sizeof **out);
	return *out != NULL ? ST_OK : fault_set(why, ST_NOMEM, "connection");
}

enum status
talk_open_socket(struct talk **out, const char *path, struct fault *why)
{
	enum status	st;

	if ((st = talk_new(out, why)) != ST_OK)
		return st;
	if ((st = assay_open(&(*out)->conn, path, why)) != ST_OK) {
		talk_free(*out);
		*out = NULL;
	}
	return st;
}

enum status
talk_open(struct talk **out, const struct cli *cli, struct fault *why)
{
	char		path[PATH_MAX];
	enum status	st;

	if (cli->host == NULL) {
		place_socket(path);
		return talk_open_socket(out, cli->socket != NULL ? cli->socket : path, why);
	}
	if ((st = talk_new(out, why)) != ST_OK)
		return st;
	if ((st = assay_http_open(&(*out)->http, cli->host, why)) != ST_OK) {
		talk_free(*out);
		*out = NULL;
	}
	return st;
}

void
talk_free(struct talk *d)
{
	if (d == NULL)
		return;
	assay_close(d->conn);
	assay_http_close(d->http);
	free(d);
}

bool
talk_is_http(const struct talk *d)
{
	return d->http != NULL;
}

void
talk_stop_on_interrupt(struct talk *d, bool on)
{
	int	fd = on ? interrupt_fd() : -1;

	if (d->http != NULL)
		assay_http_set_stop_fd(d->http, fd);
	else
		assay_set_stop_fd(d->conn, fd);
}

enum status
talk_call(struct talk *d, const char *method, json_t *params, json_t **result, struct fault *why)
{
	enum status	st;

	if (d->http != NULL)
		st = assay_http_call(d->http, method, params, result, why);
	else
		st = assay_call(d->conn, method, params, result, why);
	json_decref(params);
	return st;
}

enum status
talk_call_waiting(struct talk *d, int wait_ms, const char *method, json_t *params, json_t **result, struct fault *why)
{
	enum status	st;

	if (d->conn != NULL)
		assay_set_timeout(d->conn, wait_ms > INT_MAX - ASSAY_TIMEOUT_MS ? -1 : wait_ms + ASSAY_TIMEOUT_MS);
	st = talk_call(d, method, params, result, why);
	if (d->conn != NULL)
		assay_set_timeout(d->conn, ASSAY_TIMEOUT_MS);
	return st;
}

enum status
talk_next(struct talk *d, int timeout_ms, json_t **params, struct fault *why)
{
	*params = NULL;
	if (d->conn == NULL)
		return fault_set(why, ST_BAD_REQUEST, "results cannot be followed over HTTP");
	return assay_next_notification(d->conn, timeout_ms, params, why);
}

json_t *
talk_sweep(const char *word)
{
	struct fault	none;
	int64_t		id;

	if (strspn(word, "0123456789") == strlen(word) && cli_int(word, 1, INT64_MAX, &id, &none) == ST_OK)
		return json_integer((json_int_t)id);
	return json_string(word);
}

enum status
talk_ids(const struct cli_list *words, json_t **ids, struct fault *why)
{
	*ids = json_array();
	for (size_t i = 0; i < words->n; i++) {
		int64_t		id;
		enum status	st = cli_int(words->items[i], 1, INT64_MAX, &id, why);

		if (st != ST_OK) {
			json_decref(*ids);
			*ids = NULL;
			(void)fault_set(why, st, "\"%s\" is no job id", words->items[i]);
			fault_hint(why, "ids are whole numbers from 1, as assay submit prints them");
			return st;
		}
		(void)json_array_append_new(*ids, json_integer((json_int_t)id));
	}
	return ST_OK;
}
