/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/api_fixture.h"

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
	refused("job.submit", "{\"job\":{},\"variants\":[{}]}", ST_BAD_REQUEST,
	    API_BAD_PARAMS, "variants");
	refused("job.submit", "{\"variants\":[{}],\"follow\":1}", ST_BAD_REQUEST,
	    API_BAD_PARAMS, "follow");
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
	refused("job.submit", "{\"job\":{" VARIANT ",\"spec\":{\"routine\":7}}}", ST_BAD_SPEC,
	    API_BAD_PARAMS, "job.spec.routine");
	refused("job.submit", "{\"jobs\":[" JOB ",{" VARIANT ",\"spec\":{\"routine\":7}}]}",
	    ST_BAD_SPEC, API_BAD_PARAMS, "jobs[1].spec.routine");
	refused("job.submit", "{\"job\":{" VARIANT "," SPEC ",\"prioritty\":1}}", ST_BAD_SPEC,
	    API_BAD_PARAMS, "job.prioritty");
	refused("job.submit", "{" SPEC ",\"variants\":[{\"source\":\"x\"},{\"sauce\":\"x\"}]}",
	    ST_BAD_SPEC, API_BAD_PARAMS, "variants[1].sauce");
	refused("job.submit", "{" SPEC "}", ST_BAD_SPEC, API_BAD_PARAMS, "variants");
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_int_equal(queue_live(&the->queue), 0);
	refused("sweep.create", "{\"sweep\":{\"name\":7}}", ST_BAD_SPEC, API_BAD_PARAMS,
	    "sweep.name");
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
	refused("job.submit", "{\"job\":" JOB ",\"follow\":true}", ST_BAD_REQUEST,
	    API_BAD_PARAMS, "follow");
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
	assert_int_equal(start_call(0, "job.cancel", params), 0);	/* not before it is on disk */
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
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
	(void)snprintf(params, sizeof params, "{\"ids\":[%d,%d,%d,%d]}", (int)a, (int)b,
	    (int)a, (int)c);
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

#define SWEEP_OF(last)	"{\"sweep\":{\"name\":\"s\"," SPEC ",\"variants\":[{\"language\":\"c\",\"source\":\"a\"},"	\
			"{\"language\":\"c\",\"source\":\"b\"},{\"language\":\"c\",\"source\":\"" last "\"}]}}"
#define SWEEP		SWEEP_OF("c")

static void
test_api_sweep_counts_states_and_outcomes_and_names_its_best(void **state)
{
	const json_t	*r = ok("sweep.create", SWEEP), *best;
	int64_t		 id = integer(r, "sweep");
	int64_t		 first = json_integer_value(json_array_get(json_object_get(r, "ids"), 0));

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
	assert_int_equal(integer(json_object_get(r, "statuses"), "ok"), 2);
	refused("sweep.create", SWEEP_OF("d"), ST_CONFLICT, API_CONFLICT, "sweep.name");
	r = ok("sweep.create", SWEEP);
	assert_int_equal(integer(r, "sweep"), id);
	assert_true(json_is_true(json_object_get(r, "existed")));
	assert_int_equal(start_call(USER, "job.wait", "{\"sweep\":\"s\"}"), 0);
	assert_int_equal(integer(ok("sweep.cancel", "{\"sweep\":\"s\"}"), "cancelled"), 1);
}

static void
test_api_information_has_the_members_that_the_protocol_names(void **state)
{
	static const char *const	info[] = { "name", "version", "protocol", "uptime_s",
		"limits", "slots", "builders", "compilers", "jail", "clock" };
	static const char *const	places[] = { "pid", "state_dir", "database", "sockets" };
	static const char *const	queue[] = { "states", "unread", "slots", "builders", "jobs" };
	const json_t			*r = ok("server.info", "{}");

	(void)state;
	for (size_t i = 0; i < sizeof info / sizeof info[0]; i++)
		assert_non_null(json_object_get(r, info[i]));
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		assert_null(json_object_get(r, places[i]));
	assert_int_equal(call_to_its_end(0, "server.info", "{}"), 1);
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		assert_non_null(json_object_get(the->result, places[i]));
	(void)submit();
	r = ok("queue.get", "{\"limit\":1}");
	for (size_t i = 0; i < sizeof queue / sizeof queue[0]; i++)
		assert_non_null(json_object_get(r, queue[i]));
	assert_int_equal(json_array_size(json_object_get(r, "jobs")), 1);
}

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
		TEST(test_api_sweep_counts_states_and_outcomes_and_names_its_best),
		TEST(test_api_information_has_the_members_that_the_protocol_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
