/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/connection.h"
#include "client/connect/default_path.h"
#include "client/connect/interrupt.h"
#include "client/lib/assay.h"

struct connection {
	struct assay_conn	*conn;		/* owned; one of the two */
	struct assay_http	*http;		/* owned */
};

static enum status
connection_new(struct connection **out, struct fault *why)
{
	*out = calloc(1, sizeof **out);
	return *out != NULL ? ST_OK : fault_set(why, ST_NOMEM, "connection");
}

enum status
connection_open_socket(struct connection **out, const char *path, struct fault *why)
{
	enum status	st;

	if ((st = connection_new(out, why)) != ST_OK)
		return st;
	if ((st = assay_open(&(*out)->conn, path, why)) != ST_OK) {
		connection_free(*out);
		*out = NULL;
	}
	return st;
}

enum status
connection_open(struct connection **out, const struct cli *cli, struct fault *why)
{
	char		path[PATH_MAX];
	enum status	st;

	if (cli->host == NULL) {
		default_path_socket(path);
		return connection_open_socket(out, cli->socket != NULL ? cli->socket : path, why);
	}
	if ((st = connection_new(out, why)) != ST_OK)
		return st;
	if ((st = assay_http_open(&(*out)->http, cli->host, why)) != ST_OK) {
		connection_free(*out);
		*out = NULL;
	}
	return st;
}

void
connection_free(struct connection *d)
{
	if (d == NULL)
		return;
	assay_close(d->conn);
	assay_http_close(d->http);
	free(d);
}

bool
connection_is_http(const struct connection *d)
{
	return d->http != NULL;
}

void
connection_stop_on_interrupt(struct connection *d, bool on)
{
	int	fd = on ? interrupt_fd() : -1;

	if (d->http != NULL)
		assay_http_set_stop_fd(d->http, fd);
	else
		assay_set_stop_fd(d->conn, fd);
}

enum status
connection_call(struct connection *d, const char *method, json_t *params, json_t **result, struct fault *why)
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
connection_call_waiting(struct connection *d, int wait_ms, const char *method, json_t *params, json_t **result, struct fault *why)
{
	enum status	st;

	if (d->conn != NULL)
		assay_set_timeout(d->conn, wait_ms > INT_MAX - ASSAY_TIMEOUT_MS ? -1 : wait_ms + ASSAY_TIMEOUT_MS);
	st = connection_call(d, method, params, result, why);
	if (d->conn != NULL)
		assay_set_timeout(d->conn, ASSAY_TIMEOUT_MS);
	return st;
}

enum status
connection_next(struct connection *d, int timeout_ms, json_t **params, struct fault *why)
{
	*params = NULL;
	if (d->conn == NULL)
		return fault_set(why, ST_BAD_REQUEST, "results cannot be followed over HTTP");
	return assay_next_notification(d->conn, timeout_ms, params, why);
}
