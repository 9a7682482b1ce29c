/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_API_FIXTURE_H
#define ASSAY_TESTS_API_FIXTURE_H

/*
 * The methods on a real store, queue and intake. dispatch is this file's: a job is over when a test
 * says so, and news comes when a test lets it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/api/api_impl.h"
#include "proto/base/log.h"

#define USER	((uid_t)4242)
#define OTHER	((uid_t)4243)
#define SPEC	"\"spec\":{\"routine\":\"int same(const int N)\",\"args\":{\"N\":7}}"
#define VARIANT	"\"variant\":{\"language\":\"c\",\"name\":\"v\",\"source\":\"int same(const int N){return N;}\"}"
#define JOB	"{" VARIANT "," SPEC "}"

struct dispatch {
	news_fn		*fn;
	awaited_fn	*is_awaited;
	void		*arg;
};

enum { MAX_TOLD = 64 };

struct fixture {
	char			 dir[32], path[64];
	struct event_base	*base;
	struct store		*store;
	struct queue		 queue;
	struct intake		*intake;
	struct dispatch		 dispatch;
	struct config		 config;
	struct topology		 topology;
	struct upkeep		*upkeep;
	struct calibrated	 known;			/* as dispatch was told */
	char			 uncalibrated[256];
	bool			 streams;		/* the streamer runs */
	struct api		*api;
	struct api_client	*client;
	bool			 room;
	int64_t			 told[MAX_TOLD];	/* cursors of notifications */
	int64_t			 told_for[MAX_TOLD];	/* their subscriptions */
	unsigned		 ntold, replies;
	int64_t			 later[MAX_TOLD];	/* jobs to be cancelled by and by */
	unsigned		 nlater;
	struct fault		 why;			/* of the last reply that was an error */
	int			 code;
	enum status		 status;
	json_t			*result;		/* of the last reply that was none */
};
static struct fixture	*the;

/* ---- in the place of dispatch.c ---- */

void
dispatch_on_news(struct dispatch *d, news_fn *fn, awaited_fn *is_awaited, void *arg)
{
	d->fn = fn;
	d->is_awaited = is_awaited;
	d->arg = arg;
}

/* A job's end, up to but without the commit. */
static inline int64_t
write_result(int64_t id, enum status outcome, double value_ns)
{
	struct queued_job	*j = queue_find(&the->queue, id);
	char			 json[256];
	struct new_result	 r = { .job_id = id, .cursor = store_next_cursor(the->store),
				    .outcome = outcome, .finished = 1000, .value_ns = value_ns,
				    .json = json };

	assert_non_null(j);
	(void)snprintf(json, sizeof json,
	    "{\"job\":%lld,\"status\":\"%s\",\"finished\":1000.0,\"cursor\":%lld,"
	    "\"time\":{\"value_ns\":%.17g}}", (long long)id, status_word(outcome),
	    (long long)r.cursor, value_ns);
	assert_int_equal(store_add_result(the->store, &r, NULL), ST_OK);
	queue_set_ending(&the->queue, j, true);
	return r.cursor;
}

static inline void
tell_news(int64_t id, int64_t cursor, enum job_state state)
{
	struct queued_job	*j = queue_find(&the->queue, id);
	char			 json[64];
	struct news		 n = { .job_id = id, .sweep_id = j->sweep_id, .cursor = cursor,
				    .submitter = j->submitter, .text = json };

	(void)snprintf(json, sizeof json, "{\"job\":%lld,\"cursor\":%lld}", (long long)id,
	    (long long)cursor);
	job_move(&the->queue, j, state);
	queue_forget(&the->queue, j);
	the->dispatch.fn(the->dispatch.arg, &n);
}

static inline void
end_job(int64_t id, enum status outcome, double value_ns)
{
	int64_t	cursor = write_result(id, outcome, value_ns);

	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	tell_news(id, cursor, JOB_FAILED);
}

enum status
dispatch_cancel(struct dispatch *d, int64_t id, struct fault *why)
{
	(void)d;
	if (queue_find(&the->queue, id) == NULL)
		return fault_set(why, ST_NOT_FOUND, "gone");
	(void)write_result(id, ST_CANCELLED, 0);
	return ST_OK;
}

void
dispatch_cancel_later(struct dispatch *d, int64_t id)
{
	(void)d;
	assert_true(the->nlater < MAX_TOLD);
	the->later[the->nlater++] = id;
}

size_t
dispatch_cancel_sweep(struct dispatch *d, int64_t sweep_id)
{
	size_t	 n;
	int64_t	*ids = queue_sweep_ids(&the->queue, sweep_id, &n);

	for (size_t i = 0; i < n; i++)
		(void)dispatch_cancel(d, ids[i], NULL);
	free(ids);
	return n;
}

void
dispatch_use_calibrated(struct dispatch *d, const struct calibrated *c, const char *reason)
{
	(void)d;
	the->known = c != NULL ? *c : (struct calibrated){ 0 };
	(void)snprintf(the->uncalibrated, sizeof the->uncalibrated, "%s", c == NULL ? reason : "");
}

bool
dispatch_stream(struct dispatch *d, bool on)
{
	(void)d;
	the->streams = on;
	return true;
}

void
dispatch_kick(struct dispatch *d)
{
	(void)d;
}

struct hold *
dispatch_host(const struct dispatch *d)
{
	(void)d;
	return NULL;
}

void
dispatch_count_workers(const struct dispatch *d, struct worker_counts *out)
{
	(void)d;
	*out = (struct worker_counts){ .restarts = 2 };
}

void
dispatch_places(const struct dispatch *d, struct queue_places *p)
{
	(void)d;
	*p = (struct queue_places){ .slots = { 1 }, .builders = 1 };
}

json_t *
dispatch_report(const struct dispatch *d)
{
	(void)d;
	return json_pack("{s:[{s:i,s:n}],s:[{s:n}],s:[],s:{},s:{}}", "slots", "cpu", 1, "job",
	    "builders", "job", "compilers", "clock", "jail");
}

/* ---- a client ---- */

static inline void
on_result(void *arg, int64_t subscription, int64_t cursor, const char *json, size_t bytes)
{
	struct fixture	*f = arg;
	json_t		*r = json_loadb(json, bytes, 0, NULL);

	assert_int_equal(json_integer_value(json_object_get(r, "cursor")), cursor);
	json_decref(r);
	assert_true(f->ntold < MAX_TOLD);
	f->told_for[f->ntold] = subscription;
	f->told[f->ntold++] = cursor;
}

static inline bool
has_room(void *arg)
{
	return ((struct fixture *)arg)->room;
}

static const struct api_hooks	hooks = { on_result, has_room };

static inline void
on_reply(void *arg, const struct api_reply *r)
{
	struct fixture	*f = arg;

	f->replies++;
	f->status = r->status;
	f->code = r->code;
	json_decref(f->result);
	f->result = NULL;
	if (r->status == ST_OK) {
		f->result = json_loadb((const char *)evbuffer_pullup(r->result, -1),
		    evbuffer_get_length(r->result), 0, NULL);
		assert_non_null(f->result);
	} else {
		f->why = *r->why;
	}
}

/* Only what is under way already; nothing is committed. */
static inline unsigned
start_call(uid_t uid, const char *method, const char *params)
{
	json_t		*doc = json_loads(params, 0, NULL);
	struct caller	 who = { uid, the->client, NULL, users_role(NULL, uid) };
	unsigned	 before = the->replies;

	assert_non_null(doc);
	api_call(the->api, &who, method, doc, on_reply, the);
	json_decref(doc);
	return the->replies - before;
}

static inline void
loop(void)
{
	do
		for (int i = 0; i < 20; i++)
			assert_true(event_base_loop(the->base, EVLOOP_NONBLOCK) >= 0);
	while (the->client != NULL && (the->client->page != NULL || the->client->reads));
}

static inline bool
only_reads(const char *method)
{
	return strstr(method, ".get") != NULL || strcmp(method, "job.spec") == 0 ||
	    strncmp(method, "results.", 8) == 0;
}

/* Calls that read the database are answered by a thread, others by the commit. */
static inline unsigned
call_to_its_end(uid_t uid, const char *method, const char *params)
{
	unsigned	before = the->replies;

	if (start_call(uid, method, params) == 0 && !only_reads(method))
		assert_int_equal(store_commit(the->store, NULL), ST_OK);
	while (the->replies == before)
		assert_true(event_base_loop(the->base, EVLOOP_ONCE) >= 0);
	return the->replies - before;
}

static inline const json_t *
ok(const char *method, const char *params)
{
	(void)call_to_its_end(USER, method, params);
	if (the->status != ST_OK)
		fail_msg("%s %s: %s: %s", method, params, the->why.member, the->why.text);
	loop();
	return the->result;
}

static inline void
refused(const char *method, const char *params, enum status st, int code, const char *member)
{
	assert_int_equal(call_to_its_end(USER, method, params), 1);
	assert_int_equal(the->status, st);
	assert_int_equal(the->code, code);
	assert_string_equal(the->why.member, member);
}

static inline int64_t
integer(const json_t *r, const char *name)
{
	assert_true(json_is_integer(json_object_get(r, name)));
	return json_integer_value(json_object_get(r, name));
}

static inline const char *
text(const json_t *r, const char *name)
{
	assert_true(json_is_string(json_object_get(r, name)));
	return json_string_value(json_object_get(r, name));
}

static inline int64_t
submit(void)
{
	const json_t	*r = ok("job.submit", "{\"job\":" JOB "}");

	return json_integer_value(json_array_get(json_object_get(r, "ids"), 0));
}

/* ---- life ---- */

static inline void
on_work(void *arg)
{
	(void)arg;
}

static inline int
set_up(void **state)
{
	struct fixture	*f = calloc(1, sizeof *f);
	struct upkeep_env keep;
	struct api_env	 env;
	struct fault	 why;

	the = *state = f;
	log_set_level(LOG_LEVEL_ERROR);
	(void)strcpy(f->dir, "/tmp/assay-api-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	(void)snprintf(f->path, sizeof f->path, "%s/a.db", f->dir);
	f->room = true;
	f->config.socket_path = f->config.http_socket_path = f->config.state_dir = f->dir;
	f->config.chart_js = (char *)(uintptr_t)"";
	f->base = event_base_new();
	queue_init(&f->queue, 1000);
	assert_int_equal(store_open(&f->store, f->path, &why), ST_OK);
	assert_int_equal(intake_new(&f->intake, f->store, &f->queue, on_work, NULL, &why), ST_OK);
	f->topology.l2_bytes = 1 << 20;
	f->topology.l3_bytes = 32 << 20;
	keep = (struct upkeep_env){ f->store, &f->queue, f->intake, &f->dispatch,
	    &f->topology, 60, 30 };
	assert_int_equal(upkeep_new(&f->upkeep, &keep, &why), ST_OK);
	env = (struct api_env){ f->base, &f->config, NULL, &f->topology, f->store, &f->queue,
	    f->intake, &f->dispatch, f->upkeep, NULL };
	assert_int_equal(api_new(&f->api, &env, &why), ST_OK);
	f->client = api_client_new(f->api, 0, &hooks, f);
	assert_non_null(f->client);
	return 0;
}

static inline int
tear_down(void **state)
{
	struct fixture	*f = *state;
	char		 path[80];

	upkeep_stop(f->upkeep);
	(void)store_commit(f->store, NULL);
	api_client_free(f->client);
	api_free(f->api);
	upkeep_free(f->upkeep);
	intake_free(f->intake);
	queue_release(&f->queue);
	store_free(f->store);
	event_base_free(f->base);
	json_decref(f->result);
	(void)unlink(f->path);
	(void)snprintf(path, sizeof path, "%s-wal", f->path);
	(void)unlink(path);
	(void)snprintf(path, sizeof path, "%s-shm", f->path);
	(void)unlink(path);
	(void)rmdir(f->dir);
	free(f);
	return 0;
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
