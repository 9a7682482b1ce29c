/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/connect/client.h"
#include "client/connect/connection.h"
#include "client/connect/default_path.h"
#include "client/connect/hosts.h"
#include "client/connect/interrupt.h"
#include "client/connect/over_http.h"
#include "client/connect/private_daemon.h"
#include "client/lib/await.h"
#include "proto/base/clock.h"

enum {
	PROTOCOL = 1,				/* of proto/PROTOCOL.md */
	PATIENCE_MS = 5000, LOOK_MS = 20,	/* for another daemon with the same state */
};

struct connection {
	struct assay		*assay;		/* owned */
	struct over_http	 http;		/* if it is */
	struct private_daemon	*reader;	/* owned; NULL: none was needed */
	bool			 is_guest;	/* at another command's private daemon */
};

/* ---- opening ---- */

static enum status
set_credentials(struct assay *a, const struct cli *cli, struct fault *why)
{
	const struct {
		const char	*name, *value;
	} settings[] = {
		{ "token-file", cli->token_file }, { "ca", cli->ca }, { "cert", cli->cert },
		{ "key", cli->key },
	};
	struct assay_error	e;

	for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++)
		if (settings[i].value != NULL &&
		    assay_set(a, settings[i].name, settings[i].value, &e) != 0)
			return client_fault(why, &e);
	return ST_OK;
}

static enum status
open_address(struct connection **out, const char *address, const struct cli *cli,
    struct fault *why)
{
	struct connection	*c = calloc(1, sizeof *c);
	struct assay_error	 e;
	enum status		 st;

	*out = NULL;
	if (c == NULL || (c->assay = assay_new()) == NULL) {
		free(c);
		return fault_set(why, ST_NOMEM, "connection");
	}
	over_http_init(&c->http, c->assay);
	client_set_timeout(c->assay, CONNECTION_TIMEOUT_MS);
	st = cli != NULL ? set_credentials(c->assay, cli, why) : ST_OK;
	if (st == ST_OK && assay_open(c->assay, address, &e) != 0)
		st = client_fault(why, &e);
	if (st != ST_OK) {
		connection_free(c);
		return st;
	}
	*out = c;
	return ST_OK;
}

enum status
connection_open_socket(struct connection **out, const char *path, struct fault *why)
{
	char	address[PATH_MAX + 8];

	(void)snprintf(address, sizeof address, "unix:%s", path);
	return open_address(out, address, NULL, why);
}

/* Before files are read and sent: is anybody there, and of this protocol? */
static enum status
greet(struct connection *c, const char *address, struct fault *why)
{
	json_t		*info;
	json_int_t	 protocol;
	enum status	 st = connection_call(c, "server.info", NULL, &info, why);

	if (st != ST_OK)
		return st;
	protocol = json_integer_value(json_object_get(info, "protocol"));
	json_decref(info);
	if (protocol == PROTOCOL)
		return ST_OK;
	(void)fault_set(why, ST_UNAVAILABLE, "%s speaks protocol %" JSON_INTEGER_FORMAT
	    ", this assay %d", address, protocol, (int)PROTOCOL);
	fault_hint(why, "install the same version of Assay on both hosts");
	return ST_UNAVAILABLE;
}

/* A path, another address, or a name for one of these. */
static enum status
open_host(struct connection **out, const struct cli *cli, struct fault *why)
{
	char		address[PATH_MAX];
	enum status	st = hosts_address(cli->host, address, why);

	if (st != ST_OK || (st = open_address(out, address, cli, why)) != ST_OK)
		return st;
	if (address[0] == '/' || (st = greet(*out, address, why)) == ST_OK)
		return ST_OK;
	connection_free(*out);
	*out = NULL;
	return st;
}

enum status
connection_open(struct connection **out, const struct cli *cli, struct fault *why)
{
	char	path[PATH_MAX];

	if (hosts_are_several(cli))
		return fault_at(why, ST_BAD_REQUEST, "-H",
		    "several hosts are for results, best, queue and host");
	if (cli->host != NULL)
		return open_host(out, cli, why);
	default_path_socket(path);
	return connection_open_socket(out, cli->socket != NULL ? cli->socket : path, why);
}

void
connection_free(struct connection *c)
{
	if (c == NULL)
		return;
	over_http_release(&c->http);
	assay_free(c->assay);
	if (c->reader != NULL)
		private_daemon_stop(c->reader);
	free(c->reader);
	free(c);
}

/* ---- without a daemon ---- */

static enum status
open_reader_once(struct connection **out, struct fault *why)
{
	struct private_daemon	*reader = calloc(1, sizeof *reader);
	enum status		 st;

	if (reader == NULL)
		return fault_set(why, ST_NOMEM, "private daemon");
	if ((st = private_daemon_start(reader, PRIVATE_ANSWERS, NULL, NULL, why)) == ST_OK &&
	    (st = connection_open_socket(out, reader->socket, why)) == ST_OK) {
		(*out)->reader = reader;
		return ST_OK;
	}
	private_daemon_stop(reader);
	free(reader);
	return st;
}

/* The daemon that has the state: it may have a socket of its own, or none yet. */
static bool
open_other(struct connection **out)
{
	char		path[PATH_MAX];
	struct fault	none;

	private_daemon_other(path);
	if (path[0] == '\0' || connection_open_socket(out, path, &none) != ST_OK)
		return false;
	(*out)->is_guest = true;
	return true;
}

/* Another one may be about to serve, or to end. */
static enum status
open_reader(struct connection **out, struct fault *why)
{
	const int64_t	deadline_ms = await_deadline_ms(PATIENCE_MS);
	enum status	st;

	while ((st = open_reader_once(out, why)) == ST_CONFLICT) {
		if (open_other(out))
			return ST_OK;
		if (clock_now_ms() > deadline_ms) {
			(void)fault_set(why, ST_UNAVAILABLE, "another command has the results "
			    "open, and does not answer yet");
			fault_hint(why, "it may be waiting for a core to time on; try again "
			    "later");
			return ST_UNAVAILABLE;
		}
		if (await_fd(-1, 0, interrupt_fd(), await_deadline_ms(LOOK_MS)) == ST_CANCELLED)
			return fault_set(why, ST_CANCELLED, "interrupted");
	}
	return st;
}

static bool
has_results(void)
{
	char	state[PATH_MAX], database[PATH_MAX + 16];

	if (!default_path_state(state))
		return false;
	(void)snprintf(database, sizeof database, "%s/assay.db", state);
	return access(database, F_OK) == 0;
}

enum status
connection_open_reading(struct connection **out, const struct cli *cli, struct fault *why)
{
	enum status	st = connection_open(out, cli, why);

	if (st != ST_UNAVAILABLE || !default_path_may_be_private(cli->host, cli->socket))
		return st;
	if (has_results())
		return open_reader(out, why);
	fault_hint(why, "nothing has been timed without a daemon either; start one with: assay "
	    "serve");
	return st;
}

enum status
connection_open_host(struct connection **out, const struct cli *cli, struct fault *why)
{
	enum status	st = connection_open(out, cli, why);

	return st == ST_UNAVAILABLE && default_path_may_be_private(cli->host, cli->socket) ?
	    open_reader(out, why) : st;
}

bool
connection_only_answers(const struct connection *c)
{
	return c->reader != NULL;
}

/* That command has ended, and its daemon: the results are still there. */
static enum status
open_again(struct connection *c, struct fault *why)
{
	struct connection	*fresh, old = *c;
	enum status		 st = open_reader(&fresh, why);

	if (st != ST_OK)
		return st;
	*c = *fresh;
	*fresh = old;
	connection_free(fresh);
	return ST_OK;
}

/* ---- calls ---- */

void
connection_stop_on_interrupt(struct connection *c, bool on)
{
	c->http.stop_fd = on ? interrupt_fd() : -1;
	assay_stop_on(c->assay, c->http.stop_fd);
}

enum status
connection_call(struct connection *c, const char *method, json_t *params, json_t **result,
    struct fault *why)
{
	enum status	st = assay_is_http(c->assay) ?
			    over_http_call(&c->http, method, params, result, why) :
			    client_call(c->assay, method, params, result, why);

	while (st == ST_UNAVAILABLE && c->is_guest && (st = open_again(c, why)) == ST_OK)
		st = client_call(c->assay, method, params, result, why);
	json_decref(params);
	return st;
}

enum status
connection_call_waiting(struct connection *c, int wait_ms, const char *method, json_t *params,
    json_t **result, struct fault *why)
{
	const bool	is_endless = wait_ms > INT_MAX - CONNECTION_TIMEOUT_MS;
	enum status	st;

	client_set_timeout(c->assay, is_endless ? -1 : wait_ms + CONNECTION_TIMEOUT_MS);
	st = connection_call(c, method, params, result, why);
	client_set_timeout(c->assay, CONNECTION_TIMEOUT_MS);
	return st;
}

enum status
connection_next(struct connection *c, int timeout_ms, json_t **params, struct fault *why)
{
	return assay_is_http(c->assay) ? over_http_next(&c->http, timeout_ms, params, why) :
	    client_next(c->assay, timeout_ms, params, why);
}
