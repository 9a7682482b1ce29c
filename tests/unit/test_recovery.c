/* SPDX-License-Identifier: Apache-2.0 */
/* A daemon that has just started serves while the queue of the one before is read. */
#include "tests/support/api_fixture.h"

#define SWEEP	"{\"sweep\":{\"name\":\"s\"," SPEC ",\"variants\":[" \
		"{\"language\":\"c\",\"name\":\"a\",\"source\":\"int same(const int N){return N;}\"}," \
		"{\"language\":\"c\",\"name\":\"b\",\"source\":\"int same(const int N){return -N;}\"}]}}"

/* The daemon's memory is gone, the store is not; nothing is read before the event loop turns. */
static void
start_again(void)
{
	const size_t	limit = the->queue.limit;
	struct fault	why;

	queue_release(&the->queue);
	queue_init(&the->queue, limit);
	assert_int_equal(api_recover(the->api, &why), ST_OK);
}

static struct quota_use
user_of(uid_t uid)
{
	struct quota_use	list[4] = { { .uid = 0 } };
	const size_t		n = quota_uses(&the->queue, list, 4);

	for (size_t i = 0; i < n; i++)
		if (list[i].uid == uid)
			return list[i];
	return (struct quota_use){ .uid = uid };
}

static void
test_recovery_D11_a_wait_for_an_unread_sweep_is_not_answered_early(void **state)
{
	(void)state;
	(void)ok("sweep.create", SWEEP);
	start_again();
	assert_int_equal(start_call(USER, "job.wait", "{\"sweep\":\"s\",\"timeout_ms\":0}"), 0);
	loop();
	assert_int_equal(the->status, ST_OK);
	assert_true(json_is_false(json_object_get(the->result, "done")));
	assert_int_equal(integer(the->result, "left"), 2);
}

static void
test_recovery_unread_jobs_count_in_the_queue_and_against_its_limit(void **state)
{
	const json_t	*r;

	(void)state;
	(void)ok("sweep.create", SWEEP);
	the->queue.limit = 2;
	start_again();
	assert_int_equal(start_call(USER, "queue.get", "{}"), 1);
	r = the->result;
	assert_int_equal(integer(json_object_get(r, "states"), "queued"), 2);
	assert_int_equal(integer(r, "unread"), 2);
	refused("job.submit", "{\"job\":" JOB "}", ST_FULL, API_FULL, "job");
	loop();
	assert_int_equal(start_call(USER, "queue.get", "{}"), 1);
	assert_int_equal(integer(json_object_get(the->result, "states"), "queued"), 2);
	assert_int_equal(integer(the->result, "unread"), 0);
}

static void
test_recovery_jobs_of_before_are_read_although_the_limit_is_lower_now(void **state)
{
	(void)state;
	(void)ok("sweep.create", SWEEP);
	the->queue.limit = 1;
	start_again();
	loop();
	assert_int_equal(queue_live(&the->queue), 2);
}

static void
test_recovery_a_job_submitted_meanwhile_is_queued_once(void **state)
{
	(void)state;
	(void)submit();
	start_again();
	(void)submit();
	loop();
	assert_int_equal(queue_live(&the->queue), 2);
	assert_int_equal(the->queue.count[JOB_QUEUED], 2);
}

static void
test_recovery_a_cancel_of_before_is_carried_out(void **state)
{
	bool	is_open;
	int64_t	id;

	(void)state;
	(void)submit();
	id = submit();
	assert_int_equal(store_cancel_job(the->store, id, -1, &is_open, NULL), ST_OK);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	start_again();
	loop();
	assert_int_equal(the->nlater, 1);
	assert_int_equal(the->later[0], id);
	assert_int_equal(queue_next_to_build(&the->queue, 1)->id, id - 1);
}

static void
test_recovery_D10_a_submission_of_a_user_with_a_quota_waits_until_all_is_read(void **state)
{
	uint64_t	bytes;

	(void)state;
	(void)ok("sweep.create", SWEEP);
	assert_true((bytes = user_of(USER).bytes) > 0);
	start_again();
	quota_set(&the->queue, QUOTA_JOBS, 2);
	assert_int_equal(start_call(0, "job.submit", "{\"job\":" JOB "}"), 0);
	assert_int_equal(queue_live(&the->queue), 2);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_int_equal(queue_live(&the->queue), 3);		/* an operator's was taken at once */
	assert_int_equal(start_call(USER, "job.submit", "{\"job\":" JOB "}"), 0);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_int_equal(the->status, ST_OK);
	assert_int_equal(queue_live(&the->queue), 3);
	loop();
	assert_int_equal(the->status, ST_FULL);
	assert_int_equal(user_of(USER).jobs, 2);
	assert_int_equal(user_of(USER).bytes, bytes);
}

static void
test_recovery_scheduling_is_as_it_was(void **state)
{
	static const char	text[] = "{\"job\":{" VARIANT ",\"spec\":{\"routine\":\"int same(const int N)\","
				    "\"args\":{\"N\":7}},\"priority\":-3,\"not_before\":1000,\"deadline\":2000,"
				    "\"window\":\"22:00-06:30\",\"threads\":5,\"retries\":1}}";
	const struct queued_job	*j;
	int64_t			 id;

	(void)state;
	id = json_integer_value(json_array_get(json_object_get(ok("job.submit", text), "ids"), 0));
	start_again();
	loop();
	assert_non_null(j = queue_find(&the->queue, id));
	assert_int_equal(j->submitter, USER);
	assert_int_equal(j->priority, -3);
	assert_int_equal(j->not_before, 1000);
	assert_int_equal(j->deadline, 2000);
	assert_int_equal(j->window.from, 22 * 60);
	assert_int_equal(j->window.to, 6 * 60 + 30);
	assert_int_equal(j->threads, 5);
	assert_int_equal(j->retries, 1);
	assert_null(j->brief);		/* it is loaded when the job is built */
}

static void
test_recovery_calls_that_wait_are_refused_when_the_daemon_stops(void **state)
{
	(void)state;
	(void)ok("sweep.create", SWEEP);
	start_again();
	assert_int_equal(start_call(USER, "sweep.get", "{\"sweep\":\"s\"}"), 0);
	api_stop(the->api);
	assert_int_equal(the->status, ST_UNAVAILABLE);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_recovery_D11_a_wait_for_an_unread_sweep_is_not_answered_early),
		TEST(test_recovery_unread_jobs_count_in_the_queue_and_against_its_limit),
		TEST(test_recovery_jobs_of_before_are_read_although_the_limit_is_lower_now),
		TEST(test_recovery_a_job_submitted_meanwhile_is_queued_once),
		TEST(test_recovery_a_cancel_of_before_is_carried_out),
		TEST(test_recovery_D10_a_submission_of_a_user_with_a_quota_waits_until_all_is_read),
		TEST(test_recovery_scheduling_is_as_it_was),
		TEST(test_recovery_calls_that_wait_are_refused_when_the_daemon_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
