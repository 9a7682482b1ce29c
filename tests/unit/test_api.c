/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The methods on a real store, queue and intake.  dispatch is this file's: a job is over when a test says so, and news
 * comes when a test lets it.
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

#include "daemon/api.h"
#include "daemon/log.h"

#define USER	((uid_t)4242)
#define OTHER	((uid_t)4243)
#define SPEC	"\"spec\":{\"routine\":\"int same(const int N)\",\"args\":{\"N\":7}}"
#define VARIANT	"\"variant\":{\"language\":\"c\",\"name\":\"v\",\"source\":\"int same(const int N){return N;}\"}"
#define JOB	"{" VARIANT "," SPEC "}"

struct dispatch {
	news_fn	*fn;
	void	*arg;
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
	struct api		*api;
	struct api_client	*client;
	bool			 room;
	int64_t			 told[MAX_TOLD];	/* cursors of notifications */
	int64_t			 told_for[MAX_TOLD];	/* their subscriptions */
	unsigned		 ntold, replies;
	struct fault		 why;			/* of the last reply that was an error */
	int			 code;
	enum status		 status;
	json_t			*result;		/* of the last reply that was none */
};
static struct fixture	*the;

/* ---- in the place of dispatch.c ---- */

void
dispatch_on_news(struct dispatch *d, news_fn *fn, void *arg)
{
	d->fn = fn;
	d->arg = arg;
}

/* A job's end, up to but without the commit. */
static int64_t
write_result(int64_t id, enum status outcome, double value_ns)
{
	struct queued_job	*j = queue_find(&the->queue, id);
	json_t			*r = json_pack("{s:I,s:s,s:f,s:{s:f}}", "job", (json_int_t)id, "status", status_word(outcome),
				    "finished", 1000.0, "time", "value_ns", value_ns);
	int64_t			 cursor;

	assert_non_null(j);
	assert_int_equal(store_add_result(the->store, id, outcome, r, &cursor, NULL), ST_OK);
	j->ending = true;
	json_decref(r);
	return cursor;
}

static void
tell_news(int64_t id, int64_t cursor, enum job_state state)
{
	struct queued_job	*j = queue_find(&the->queue, id);
	json_t			*r = json_pack("{s:I,s:I}", "job", (json_int_t)id, "cursor", (json_int_t)cursor);
	struct news		 n = { id, j->sweep_id, cursor, j->submitter, r };

	job_move(&the->queue, j, state);
	queue_forget(&the->queue, j);
	the->dispatch.fn(the->dispatch.arg, &n);
	json_decref(r);
}

static void
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

json_t *
dispatch_report(const struct dispatch *d)
{
	(void)d;
	return json_pack("{s:[{s:i,s:n}],s:[{s:n}],s:[],s:{},s:{}}", "slots", "cpu", 1, "job", "builders", "job", "compilers",
	    "clock", "jail");
}

/* ---- a client ---- */

static void
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

static bool
has_room(void *arg)
{
	return ((struct fixture *)arg)->room;
}

static const struct api_hooks	hooks = { on_result, has_room };

static void
on_reply(void *arg, const struct api_reply *r)
{
	struct fixture	*f = arg;

	f->replies++;
	f->status = r->status;
	f->code = r->code;
	json_decref(f->result);
	f->result = NULL;
	if (r->status == ST_OK) {
		f->result = json_loadb((const char *)evbuffer_pullup(r->result, -1), evbuffer_get_length(r->result), 0, NULL);
		assert_non_null(f->result);
	} else {
		f->why = *r->why;
	}
}

/* Only what is under way already; nothing is committed. */
static unsigned
start_call(uid_t uid, const char *method, const char *params)
{
	json_t		*doc = json_loads(params, 0, NULL);
	struct caller	 who = { uid, the->client };
	unsigned	 before = the->replies;

	assert_non_null(doc);
	api_call(the->api, &who, method, doc, on_reply, the);
	json_decref(doc);
	return the->replies - before;
}

static void
loop(void)
{
	for (int i = 0; i < 20; i++)
		assert_true(event_base_loop(the->base, EVLOOP_NONBLOCK) >= 0);
}

static const json_t *
ok(const char *method, const char *params)
{
	if (start_call(USER, method, params) == 0)
		assert_int_equal(store_commit(the->store, NULL), ST_OK);
	if (the->status != ST_OK)
		fail_msg("%s %s: %s: %s", method, params, the->why.member, the->why.text);
	loop();
	return the->result;
}

static void
refused(const char *method, const char *params, enum status st, int code, const char *member)
{
	assert_int_equal(start_call(USER, method, params), 1);
	assert_int_equal(the->status, st);
	assert_int_equal(the->code, code);
	assert_string_equal(the->why.member, member);
}

static int64_t
integer(const json_t *r, const char *name)
{
	assert_true(json_is_integer(json_object_get(r, name)));
	return json_integer_value(json_object_get(r, name));
}

static const char *
text(const json_t *r, const char *name)
{
	assert_true(json_is_string(json_object_get(r, name)));
	return json_string_value(json_object_get(r, name));
}

static int64_t
submit(void)
{
	const json_t	*r = ok("job.submit", "{\"job\":" JOB "}");

	return json_integer_value(json_array_get(json_object_get(r, "ids"), 0));
}

/* ---- life ---- */

static void
on_work(void *arg)
{
	(void)arg;
}

static int
set_up(void **state)
{
	struct fixture	*f = calloc(1, sizeof *f);
	struct api_env	 env;
	struct fault	 why;

	the = *state = f;
	log_set_level(LOG_LEVEL_ERROR);
	(void)strcpy(f->dir, "/tmp/assay-api-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	(void)snprintf(f->path, sizeof f->path, "%s/a.db", f->dir);
	f->room = true;
	f->config.socket_path = f->config.http_socket_path = f->config.state_dir = f->dir;
	f->base = event_base_new();
	queue_init(&f->queue, 1000);
	assert_int_equal(store_open(&f->store, f->path, &why), ST_OK);
	assert_int_equal(intake_new(&f->intake, f->store, &f->queue, on_work, NULL, &why), ST_OK);
	env = (struct api_env){ f->base, &f->config, &f->topology, f->store, &f->queue, f->intake, &f->dispatch };
	assert_int_equal(api_new(&f->api, &env, &why), ST_OK);
	f->client = api_client_new(f->api, &hooks, f);
	assert_non_null(f->client);
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture	*f = *state;
	char		 path[80];

	(void)store_commit(f->store, NULL);
	api_client_free(f->client);
	api_free(f->api);
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

/* ---- calls in general ---- */

static void
test_api_unknown_method_names_the_nearest(void **state)
{
	(void)state;
	refused("job.submti", "{}", ST_NOT_FOUND, API_NO_SUCH_METHOD, "method");
	assert_string_equal(the->why.hint, "did you mean \"job.submit\"?");
}

static void
test_api_unknown_and_missing_members_are_named(void **state)
{
	(void)state;
	refused("job.get", "{}", ST_BAD_REQUEST, API_BAD_PARAMS, "id");
	refused("job.get", "{\"id\":1,\"idd\":2}", ST_BAD_REQUEST, API_BAD_PARAMS, "idd");
	refused("server.info", "{\"x\":1}", ST_BAD_REQUEST, API_BAD_PARAMS, "x");
	assert_string_equal(the->why.hint, "this call takes none");
	refused("job.submit", "{}", ST_BAD_REQUEST, API_BAD_PARAMS, "job");
	refused("job.submit", "{\"job\":{},\"jobs\":[{}]}", ST_BAD_REQUEST, API_BAD_PARAMS, "jobs");
	refused("results.subscribe", "{\"all\":false}", ST_BAD_REQUEST, API_BAD_PARAMS, "");
}

/* ---- submitting ---- */

static void
test_api_submission_is_told_only_once_it_is_durable(void **state)
{
	(void)state;
	assert_int_equal(start_call(USER, "job.submit", "{\"job\":" JOB "}"), 0);
	assert_int_equal(queue_live(&the->queue), 0);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_int_equal(the->replies, 1);
	assert_int_equal(json_array_size(json_object_get(the->result, "ids")), 1);
	assert_int_equal(integer(the->result, "repeated"), 0);
	assert_int_equal(queue_live(&the->queue), 1);
}

static void
test_api_submission_faults_name_the_member_as_it_was_sent(void **state)
{
	(void)state;
	refused("job.submit", "{\"job\":{" VARIANT ",\"spec\":{\"routine\":7}}}", ST_BAD_SPEC, API_BAD_PARAMS,
	    "job.spec.routine");
	refused("job.submit", "{\"jobs\":[" JOB ",{" VARIANT ",\"spec\":{\"routine\":7}}]}", ST_BAD_SPEC, API_BAD_PARAMS,
	    "jobs[1].spec.routine");
	refused("job.submit", "{\"job\":{" VARIANT "," SPEC ",\"prioritty\":1}}", ST_BAD_SPEC, API_BAD_PARAMS,
	    "job.prioritty");
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_int_equal(queue_live(&the->queue), 0);
	refused("sweep.create", "{\"sweep\":{\"name\":7}}", ST_BAD_SPEC, API_BAD_PARAMS, "sweep.name");
}

static void
test_api_client_that_vanishes_before_the_commit_loses_its_reply_and_nothing_else(void **state)
{
	(void)state;
	assert_int_equal(start_call(USER, "job.submit", "{\"job\":" JOB ",\"follow\":true}"), 0);
	api_client_free(the->client);
	the->client = NULL;
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_int_equal(the->replies, 1);	/* told to whoever keeps the call, exactly once */
	assert_int_equal(queue_live(&the->queue), 1);
}

static void
test_api_following_needs_a_door_that_can_tell(void **state)
{
	struct api_client	*client = the->client;

	(void)state;
	the->client = NULL;
	refused("job.submit", "{\"job\":" JOB ",\"follow\":true}", ST_BAD_REQUEST, API_BAD_PARAMS, "follow");
	refused("job.wait", "{\"ids\":[1]}", ST_BAD_REQUEST, API_BAD_PARAMS, "");
	refused("results.subscribe", "{\"all\":true}", ST_BAD_REQUEST, API_BAD_PARAMS, "");
	the->client = client;
}

/* ---- one job ---- */

static void
test_api_job_shows_no_result_before_it_is_durable(void **state)
{
	int64_t		id = submit(), cursor;
	char		params[64];
	const json_t	*r;

	(void)state;
	(void)snprintf(params, sizeof params, "{\"id\":%d}", (int)id);
	assert_string_equal(text(ok("job.get", params), "state"), "queued");
	cursor = write_result(id, ST_CRASHED, 0);
	r = ok("job.get", params);
	assert_string_equal(text(r, "state"), "queued");
	assert_true(json_is_null(json_object_get(r, "result")));
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	tell_news(id, cursor, JOB_FAILED);
	r = ok("job.get", params);
	assert_string_equal(text(r, "state"), "failed");
	assert_string_equal(text(r, "status"), "crashed");
	assert_int_equal(integer(json_object_get(r, "result"), "job"), id);
	refused("job.get", "{\"id\":99}", ST_NOT_FOUND, API_NOT_FOUND, "");
}

static void
test_api_job_is_cancelled_by_its_submitter_or_root_alone(void **state)
{
	int64_t	a = submit(), b = submit();
	char	params[64];

	(void)state;
	(void)snprintf(params, sizeof params, "{\"id\":%d}", (int)a);
	if (geteuid() != OTHER) {
		assert_int_equal(start_call(OTHER, "job.cancel", params), 1);
		assert_int_equal(the->code, API_DENIED);
	}
	assert_int_equal(start_call(0, "job.cancel", params), 1);
	assert_int_equal(the->status, ST_OK);
	assert_int_equal(json_array_size(json_object_get(the->result, "cancelled")), 1);
	(void)snprintf(params, sizeof params, "{\"ids\":[%d,99]}", (int)b);
	refused("job.cancel", params, ST_NOT_FOUND, API_NOT_FOUND, "");
	assert_false(queue_find(&the->queue, b)->ending);	/* all or nothing */
	end_job(b, ST_OK, 5);
	(void)snprintf(params, sizeof params, "{\"ids\":[%d]}", (int)b);
	assert_int_equal(json_array_size(json_object_get(ok("job.cancel", params), "final")), 1);
}

/* ---- waiting ---- */

static void
test_api_wait_is_answered_when_the_last_job_is_over(void **state)
{
	int64_t	a = submit(), b = submit(), c = submit();
	char	params[64];

	(void)state;
	end_job(c, ST_OK, 1);
	(void)snprintf(params, sizeof params, "{\"ids\":[%d,%d,%d,%d]}", (int)a, (int)b, (int)a, (int)c);
	assert_int_equal(start_call(USER, "job.wait", params), 0);
	end_job(b, ST_OK, 1);
	assert_int_equal(the->replies, 3);
	end_job(a, ST_CRASHED, 0);
	assert_int_equal(the->replies, 4);
	assert_true(json_is_true(json_object_get(the->result, "done")));
	assert_int_equal(integer(the->result, "left"), 0);
	refused("job.wait", "{\"ids\":[99]}", ST_NOT_FOUND, API_NOT_FOUND, "");
	assert_true(json_is_true(json_object_get(ok("job.wait", params), "done")));
}

static void
test_api_wait_with_a_timeout_says_how_many_are_left(void **state)
{
	int64_t	a = submit(), b = submit();
	char	params[64];

	(void)state;
	(void)snprintf(params, sizeof params, "{\"ids\":[%d,%d],\"timeout_ms\":0}", (int)a, (int)b);
	assert_int_equal(integer(ok("job.wait", params), "left"), 2);
	(void)snprintf(params, sizeof params, "{\"ids\":[%d,%d],\"timeout_ms\":1}", (int)a, (int)b);
	assert_int_equal(start_call(USER, "job.wait", params), 0);
	end_job(a, ST_OK, 1);
	while (the->replies < 4)
		assert_true(event_base_loop(the->base, EVLOOP_ONCE) >= 0);
	assert_true(json_is_false(json_object_get(the->result, "done")));
	assert_int_equal(integer(the->result, "left"), 1);
	end_job(b, ST_OK, 1);			/* nobody waits any more */
	assert_int_equal(the->replies, 4);
}

static void
test_api_wait_of_a_closed_connection_is_answered_once(void **state)
{
	int64_t	a = submit();
	char	params[64];

	(void)state;
	(void)snprintf(params, sizeof params, "{\"ids\":[%d]}", (int)a);
	assert_int_equal(start_call(USER, "job.wait", params), 0);
	api_client_free(the->client);
	the->client = NULL;
	assert_int_equal(the->replies, 2);
	assert_int_equal(the->status, ST_CANCELLED);
	end_job(a, ST_OK, 1);
	assert_int_equal(the->replies, 2);
}

/* ---- subscriptions ---- */

static void
assert_told(unsigned n)
{
	assert_int_equal(the->ntold, n);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(the->told[i], i + 1);
}

static void
test_api_subscription_without_after_hears_only_what_is_new(void **state)
{
	int64_t	a = submit(), b = submit();

	(void)state;
	end_job(a, ST_OK, 1);
	assert_int_equal(integer(ok("results.subscribe", "{\"all\":true}"), "subscription"), 1);
	assert_int_equal(the->ntold, 0);
	end_job(b, ST_OK, 1);
	assert_int_equal(the->ntold, 1);
	assert_int_equal(the->told[0], 2);
	(void)ok("results.unsubscribe", "{\"subscription\":1}");
	(void)ok("results.unsubscribe", "{\"subscription\":1}");	/* ended: no error */
	refused("results.unsubscribe", "{\"subscription\":2}", ST_NOT_FOUND, API_NOT_FOUND, "subscription");
	end_job(submit(), ST_OK, 1);
	assert_int_equal(the->ntold, 1);
}

/* One result is on disk and told, one on disk and not told, one not on disk when the reading comes to them. */
static void
test_api_subscription_has_no_gap_and_no_double_at_the_seam(void **state)
{
	int64_t	a = submit(), b = submit(), c = submit(), d = submit(), second, third;

	(void)state;
	end_job(a, ST_OK, 1);
	second = write_result(b, ST_OK, 1);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	third = write_result(c, ST_OK, 1);
	(void)start_call(USER, "results.subscribe", "{\"all\":true,\"after\":0}");
	loop();
	assert_told(1);
	tell_news(b, second, JOB_FAILED);
	assert_told(2);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	tell_news(c, third, JOB_FAILED);
	assert_told(3);
	end_job(d, ST_OK, 1);
	assert_told(4);
}

static void
test_api_subscription_waits_for_a_slow_reader_and_then_goes_on(void **state)
{
	int64_t	ids[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		ids[i] = submit();
	end_job(ids[0], ST_OK, 1);
	the->room = false;
	(void)ok("results.subscribe", "{\"all\":true,\"after\":0}");
	end_job(ids[1], ST_OK, 1);
	loop();
	assert_told(0);
	the->room = true;
	api_client_room(the->client);
	loop();
	assert_told(2);
	end_job(ids[2], ST_OK, 1);
	assert_told(3);
}

static void
test_api_subscription_by_ids_ends_after_its_last_result(void **state)
{
	int64_t	a = submit(), b = submit(), c = submit();
	char	params[64];

	(void)state;
	(void)snprintf(params, sizeof params, "{\"ids\":[%d,%d]}", (int)a, (int)c);
	(void)ok("results.subscribe", params);
	end_job(b, ST_OK, 1);
	assert_int_equal(the->ntold, 0);
	end_job(c, ST_OK, 1);
	end_job(a, ST_OK, 1);
	assert_int_equal(the->ntold, 2);
	for (int i = 0; i < API_MAX_SUBSCRIPTIONS; i++)		/* over already: these do not pile up */
		(void)ok("results.subscribe", params);
	(void)ok("results.subscribe", params);
	refused("results.subscribe", "{\"ids\":[99]}", ST_NOT_FOUND, API_NOT_FOUND, "");
}

static void
test_api_subscriptions_of_a_connection_are_limited(void **state)
{
	(void)state;
	for (int i = 0; i < API_MAX_SUBSCRIPTIONS; i++)
		(void)start_call(USER, "results.subscribe", "{\"all\":true}");
	refused("results.subscribe", "{\"all\":true}", ST_FULL, API_FULL, "");
	refused("job.submit", "{\"job\":" JOB ",\"follow\":true}", ST_FULL, API_FULL, "follow");
}

static void
test_api_follow_tells_results_and_those_that_a_repeated_key_has_already(void **state)
{
	static const char	keyed[] = "{\"jobs\":[{" VARIANT "," SPEC ",\"key\":\"k1\"},{" VARIANT "," SPEC
				    ",\"key\":\"k2\"}],\"follow\":true}";
	int64_t			first, second;
	const json_t		*r = ok("job.submit", keyed);

	(void)state;
	first = json_integer_value(json_array_get(json_object_get(r, "ids"), 0));
	second = json_integer_value(json_array_get(json_object_get(r, "ids"), 1));
	assert_int_equal(integer(r, "subscription"), 1);
	end_job(first, ST_OK, 1);
	assert_told(1);
	r = ok("job.submit", keyed);
	assert_int_equal(integer(r, "repeated"), 2);
	assert_int_equal(integer(r, "subscription"), 2);
	assert_int_equal(the->ntold, 2);		/* the stored one again, for the new subscription */
	assert_int_equal(the->told[1], 1);
	assert_int_equal(the->told_for[1], 2);
	end_job(second, ST_OK, 1);
	assert_int_equal(the->ntold, 4);
}

/* ---- results ---- */

static void
test_api_pages_of_results_cover_all_once(void **state)
{
	static const char *const	orders[] = { "id", "newest", "fastest" };
	char				params[160], cursor[80];

	(void)state;
	for (int i = 0; i < 7; i++)
		end_job(submit(), ST_OK, 10 - i / 2);		/* equal values, too */
	for (unsigned o = 0; o < 3; o++) {
		unsigned	pages = 0, rows = 0;
		uint64_t	seen = 0;

		cursor[0] = '\0';
		do {
			const json_t	*r, *row;
			size_t		 i;

			(void)snprintf(params, sizeof params, "{\"order\":\"%s\",\"limit\":3%s%s%s}", orders[o],
			    cursor[0] != '\0' ? ",\"cursor\":\"" : "", cursor, cursor[0] != '\0' ? "\"" : "");
			r = ok("results.query", params);
			json_array_foreach(json_object_get(r, "results"), i, row)
				seen |= UINT64_C(1) << integer(row, "cursor");
			rows += (unsigned)json_array_size(json_object_get(r, "results"));
			pages++;
			cursor[0] = '\0';
			if (json_is_string(json_object_get(r, "next")))
				(void)snprintf(cursor, sizeof cursor, "%s", text(r, "next"));
		} while (cursor[0] != '\0');
		assert_int_equal(pages, 3);
		assert_int_equal(rows, 7);
		assert_int_equal(seen, 0xfe);
	}
}

static void
test_api_results_of_an_unknown_sweep_are_not_found(void **state)
{
	(void)state;
	refused("results.query", "{\"sweep\":3}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("results.query", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("results.best", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("job.wait", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("results.subscribe", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
}

#define SWEEP	"{\"sweep\":{\"name\":\"s\"," SPEC ",\"variants\":[{\"language\":\"c\",\"source\":\"a\"},"	\
		"{\"language\":\"c\",\"source\":\"b\"},{\"language\":\"c\",\"source\":\"c\"}]}}"

static void
test_api_sweep_counts_states_and_outcomes_and_names_its_best(void **state)
{
	const json_t	*r = ok("sweep.create", SWEEP), *best;
	int64_t		 id = integer(r, "sweep"), first = json_integer_value(json_array_get(json_object_get(r, "ids"), 0));

	(void)state;
	assert_string_equal(text(r, "name"), "s");
	end_job(first, ST_OK, 20);
	end_job(first + 1, ST_OK, 10);
	r = ok("sweep.get", "{\"sweep\":\"s\"}");
	assert_int_equal(integer(r, "id"), id);
	assert_int_equal(integer(r, "jobs"), 3);
	assert_int_equal(integer(json_object_get(r, "states"), "queued"), 1);
	assert_int_equal(integer(json_object_get(r, "states"), "done"), 2);
	assert_int_equal(integer(json_object_get(r, "statuses"), "ok"), 2);
	r = ok("results.best", "{\"sweep\":\"s\"}");
	best = json_array_get(json_object_get(r, "results"), 0);
	assert_int_equal(integer(best, "job"), first + 1);
	assert_int_equal(integer(r, "left"), 1);
	refused("sweep.create", SWEEP, ST_CONFLICT, API_CONFLICT, "sweep.name");
	assert_int_equal(start_call(USER, "job.wait", "{\"sweep\":\"s\"}"), 0);
	assert_int_equal(integer(ok("sweep.cancel", "{\"sweep\":\"s\"}"), "cancelled"), 1);
}

static void
test_api_information_has_the_members_that_the_protocol_names(void **state)
{
	static const char *const	info[] = { "name", "version", "protocol", "pid", "uptime_s", "state_dir", "database",
		"sockets", "limits", "slots", "builders", "compilers", "jail", "clock" };
	static const char *const	queue[] = { "states", "slots", "builders", "jobs" };
	const json_t			*r = ok("server.info", "{}");

	(void)state;
	for (size_t i = 0; i < sizeof info / sizeof info[0]; i++)
		assert_non_null(json_object_get(r, info[i]));
	(void)submit();
	r = ok("queue.get", "{\"limit\":1}");
	for (size_t i = 0; i < sizeof queue / sizeof queue[0]; i++)
		assert_non_null(json_object_get(r, queue[i]));
	assert_int_equal(json_array_size(json_object_get(r, "jobs")), 1);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_api_unknown_method_names_the_nearest),
		TEST(test_api_unknown_and_missing_members_are_named),
		TEST(test_api_submission_is_told_only_once_it_is_durable),
		TEST(test_api_submission_faults_name_the_member_as_it_was_sent),
		TEST(test_api_client_that_vanishes_before_the_commit_loses_its_reply_and_nothing_else),
		TEST(test_api_following_needs_a_door_that_can_tell),
		TEST(test_api_job_shows_no_result_before_it_is_durable),
		TEST(test_api_job_is_cancelled_by_its_submitter_or_root_alone),
		TEST(test_api_wait_is_answered_when_the_last_job_is_over),
		TEST(test_api_wait_with_a_timeout_says_how_many_are_left),
		TEST(test_api_wait_of_a_closed_connection_is_answered_once),
		TEST(test_api_subscription_without_after_hears_only_what_is_new),
		TEST(test_api_subscription_has_no_gap_and_no_double_at_the_seam),
		TEST(test_api_subscription_waits_for_a_slow_reader_and_then_goes_on),
		TEST(test_api_subscription_by_ids_ends_after_its_last_result),
		TEST(test_api_subscriptions_of_a_connection_are_limited),
		TEST(test_api_follow_tells_results_and_those_that_a_repeated_key_has_already),
		TEST(test_api_pages_of_results_cover_all_once),
		TEST(test_api_results_of_an_unknown_sweep_are_not_found),
		TEST(test_api_sweep_counts_states_and_outcomes_and_names_its_best),
		TEST(test_api_information_has_the_members_that_the_protocol_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
