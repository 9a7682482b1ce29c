/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "daemon/api/api_impl.h"
#include "proto/base/log.h"

enum { MAX_DAMAGED_LOGGED = 1000 };

/*
 * Calls that read the database do so on threads, in the order in which a connection made them.
 * Each sees all that was acknowledged before it began: a commit comes before its acknowledgement.
 */

/* After the answer the call is gone. */
static void
finish(struct call *c, enum status st, struct fault *why)
{
	const struct lookup	*lookup = c->lookup;
	void			*arg = c->lookup_arg;

	if (st == ST_OK)
		st = lookup->answer(c, arg, why);
	if (st != ST_OK)
		call_refuse(c, why);
	lookup->free(arg);
}

static void
on_read(void *arg, enum status st, const struct fault *why)
{
	struct call		*c = arg;
	struct api_client	*cl = c->client;
	struct fault		 local = *why;

	c->reading = NULL;
	if (cl != NULL)
		cl->reads = false;
	finish(c, st, &local);
	if (cl != NULL)
		api_read_next(cl);
}

/* On a thread: of the call, only what does not change is used. */
static enum status
read_call(struct store *store, void *arg, struct fault *why)
{
	const struct call	*c = arg;

	return c->lookup->read(store, c->lookup_arg, why);
}

static void
start(struct call *c)
{
	struct readers	*readers = c->api->readers;
	struct fault	 why;

	if (readers != NULL)
		c->reading = (c->lookup->takes_long ? readers_add_long : readers_add)(readers,
		    c->uid, read_call, on_read, c);
	if (c->reading == NULL) {
		(void)fault_set(&why, readers == NULL ? ST_CANCELLED : ST_NOMEM, readers == NULL ?
		    "the daemon stops" : "the daemon is out of memory");
		finish(c, why.status, &why);
	} else if (c->client != NULL) {
		c->client->reads = true;
	}
}

void
api_read_next(struct api_client *cl)
{
	struct call	*c;

	while (!cl->reads && (c = TAILQ_FIRST(&cl->to_read)) != NULL &&
	    cl->hooks->has_room(cl->arg)) {
		TAILQ_REMOVE(&cl->to_read, c, read_entry);
		start(c);
	}
}

enum status
call_read(struct call *c, const struct lookup *lookup, void *arg)
{
	c->lookup = lookup;
	c->lookup_arg = arg;
	if (c->client == NULL) {
		start(c);
		return ST_OK;
	}
	TAILQ_INSERT_TAIL(&c->client->to_read, c, read_entry);
	api_read_next(c->client);
	return ST_OK;
}

void
api_reads_free(struct api_client *cl)
{
	struct call	*c;
	struct fault	 why;

	while ((c = TAILQ_FIRST(&cl->to_read)) != NULL) {
		TAILQ_REMOVE(&cl->to_read, c, read_entry);
		(void)fault_set(&why, ST_CANCELLED, "the connection is closed");
		finish(c, ST_CANCELLED, &why);
	}
}

void
api_note_damaged(struct api *api, const json_t *ids)
{
	char	key[24];
	size_t	i;
	json_t	*id;

	if (api->damaged == NULL)
		api->damaged = json_object();
	json_array_foreach(ids, i, id) {
		(void)snprintf(key, sizeof key, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
		if (json_object_get(api->damaged, key) != NULL ||
		    json_object_size(api->damaged) >= MAX_DAMAGED_LOGGED)
			continue;
		(void)json_object_set_new(api->damaged, key, json_true());
		log_error("job=%s its stored result is damaged; assay check lists all", key);
	}
}

/* ---- life ---- */

static void
on_reap(evutil_socket_t fd, short what, void *arg)
{
	struct api	*api = arg;

	(void)fd;
	(void)what;
	readers_reap(api->readers);
}

enum status
api_readers_open(struct api *api, struct fault *why)
{
	enum status	st = readers_new(&api->readers, store_path(api->env.store), why);

	if (st != ST_OK)
		return st;
	api->reaping = event_new(api->env.base, readers_fd(api->readers), EV_READ | EV_PERSIST,
	    on_reap, api);
	if (api->reaping == NULL || event_add(api->reaping, NULL) != 0)
		return fault_set(why, ST_NOMEM, "readers");
	return ST_OK;
}

struct reading *
api_read(struct api *api, uid_t uid, reading_fn *fn, reading_done_fn *done, void *arg)
{
	return api->readers != NULL ? readers_add(api->readers, uid, fn, done, arg) : NULL;
}

void
api_stop(struct api *api)
{
	struct readers	*readers = api->readers;

	api_recovery_stop(api);
	api_arrivals_stop(api);
	if (api->reaping != NULL)
		event_free(api->reaping);
	api->reaping = NULL;
	api->readers = NULL;		/* callbacks find none */
	readers_free(readers);
	json_decref(api->damaged);
	api->damaged = NULL;
}
