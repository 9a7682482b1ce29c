/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/connect/connection.h"
#include "client/connect/default_path.h"
#include "client/connect/fleet.h"
#include "client/connect/interrupt.h"
#include "client/lib/assay.h"

struct connection {
	struct assay_conn	*conn;		/* owned; this one or the next, the other is NULL */
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

static enum status
open_http(struct connection **out, const char *address, struct fault *why)
{
	enum status	st;

	if ((st = connection_new(out, why)) != ST_OK)
		return st;
	if ((st = assay_http_open(&(*out)->http, address, why)) != ST_OK) {
		connection_free(*out);
		*out = NULL;
	}
	return st;
}

/* A path, an address over HTTP, or a name for one of these. */
static enum status
open_host(struct connection **out, const char *name, struct fault *why)
{
	char		address[PATH_MAX];
	enum status	st = fleet_address(name, address, why);

	if (st != ST_OK)
		return st;
	return address[0] == '/' ? connection_open_socket(out, address, why) :
	    open_http(out, address, why);
}

/* Results of `assay time` are in this user's state directory, and `assay serve` serves them. */
static void
hint_at_results(struct fault *why)
{
	char	state[PATH_MAX], database[PATH_MAX + 16];

	if (!default_path_state(state))
		return;
	(void)snprintf(database, sizeof database, "%s/assay.db", state);
	if (access(database, F_OK) == 0)
		fault_hint(why, "results are kept in %s; start a daemon for them with: assay serve",
		    state);
}

enum status
connection_open(struct connection **out, const struct cli *cli, struct fault *why)
{
	const char	*env = getenv("ASSAY_SOCKET");
	char		 path[PATH_MAX];
	enum status	 st;

	if (fleet_asked(cli))
		return fault_at(why, ST_BAD_REQUEST, "-H",
		    "several hosts are for results, best, queue and host");
	if (cli->host != NULL)
		return open_host(out, cli->host, why);
	default_path_socket(path);
	st = connection_open_socket(out, cli->socket != NULL ? cli->socket : path, why);
	if (st == ST_UNAVAILABLE && cli->socket == NULL && (env == NULL || env[0] == '\0'))
		hint_at_results(why);
	return st;
}

void
connection_free(struct connection *c)
{
	if (c == NULL)
		return;
	assay_close(c->conn);
	assay_http_close(c->http);
	free(c);
}

bool
connection_is_http(const struct connection *c)
{
	return c->http != NULL;
}

void
connection_stop_on_interrupt(struct connection *c, bool on)
{
	int	fd = on ? interrupt_fd() : -1;

	if (c->http != NULL)
		assay_http_set_stop_fd(c->http, fd);
	else
		assay_set_stop_fd(c->conn, fd);
}

enum status
connection_call(struct connection *c, const char *method, json_t *params, json_t **result,
    struct fault *why)
{
	enum status	st;

	if (c->http != NULL)
		st = assay_http_call(c->http, method, params, result, why);
	else
		st = assay_call(c->conn, method, params, result, why);
	json_decref(params);
	return st;
}

enum status
connection_call_waiting(struct connection *c, int wait_ms, const char *method, json_t *params,
    json_t **result, struct fault *why)
{
	const bool	endless = wait_ms > INT_MAX - ASSAY_TIMEOUT_MS;
	enum status	st;

	if (c->conn != NULL)
		assay_set_timeout(c->conn, endless ? -1 : wait_ms + ASSAY_TIMEOUT_MS);
	st = connection_call(c, method, params, result, why);
	if (c->conn != NULL)
		assay_set_timeout(c->conn, ASSAY_TIMEOUT_MS);
	return st;
}

enum status
connection_next(struct connection *c, int timeout_ms, json_t **params, struct fault *why)
{
	*params = NULL;
	if (c->conn == NULL)
		return fault_set(why, ST_BAD_REQUEST, "results cannot be followed over HTTP");
	return assay_next_notification(c->conn, timeout_ms, params, why);
}
