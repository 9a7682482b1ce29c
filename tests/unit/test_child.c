/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <event2/event.h>

#include "daemon/dispatch/station/child.h"
#include "proto/base/log.h"

struct heard {
	struct event_base	*base;
	unsigned		 messages, ends;
	enum msg_kind		 kind;
	int64_t			 job_id;
	int			 wait_status;
};

static void
on_message(void *arg, struct child *c, struct msg *m)
{
	struct heard	*h = arg;

	(void)c;
	h->messages++;
	h->kind = m->kind;
	h->job_id = m->job_id;
	assert_int_equal(h->ends, 0);
}

static void
on_end(void *arg, struct child *c, int wait_status)
{
	struct heard	*h = arg;

	(void)c;
	h->ends++;
	h->wait_status = wait_status;
	(void)event_base_loopbreak(h->base);
}

/* What was freed while a callback of it was under way goes in the loop's next turn. */
static void
free_loop(struct event_base *base)
{
	(void)event_base_loop(base, EVLOOP_NONBLOCK);
	event_base_free(base);
}

/* Run a shell script as a worker until it ends, optionally sending it a cancel for job 7 first. */
static struct heard
run_script(const char *script, bool send)
{
	static const struct child_events	events = { on_message, on_end };
	const char				*argv[] = { "/bin/sh", "-c", script, NULL };
	const struct timeval			 patience = { 120, 0 };	/* an end for what hangs */
	struct msg				 cancel = { .kind = MSG_CANCEL, .job_id = 7 };
	struct heard				 h = { .base = event_base_new() };
	struct child_pool			*pool;
	struct child				*c;
	struct fault				 why;

	assert_non_null(h.base);
	assert_int_equal(child_pool_new(&pool, h.base, &why), ST_OK);
	assert_int_equal(child_start(pool, &c, argv, &events, &h, &why), ST_OK);
	if (send)
		assert_int_equal(child_send(c, &cancel, &why), ST_OK);
	(void)event_base_loopexit(h.base, &patience);
	(void)event_base_dispatch(h.base);
	child_pool_free(pool);
	free_loop(h.base);
	return h;
}

static void
test_child_a_message_sent_just_before_the_end_is_not_lost(void **state)
{
	struct heard	h;

	(void)state;
	/* {"kind":"hello","report":{}} has 28 = 034 bytes */
	h = run_script("printf '\\034\\0\\0\\0{\"kind\":\"hello\",\"report\":{}}' >&3; exit 3",
	    false);
	assert_int_equal(h.messages, 1);
	assert_int_equal(h.kind, MSG_HELLO);
	assert_int_equal(h.ends, 1);
	assert_true(WIFEXITED(h.wait_status) && WEXITSTATUS(h.wait_status) == 3);
}

static void
test_child_a_signal_is_told_apart_from_an_exit(void **state)
{
	struct heard	h = run_script("kill -ABRT $$", false);

	(void)state;
	assert_int_equal(h.ends, 1);
	assert_true(WIFSIGNALED(h.wait_status) && WTERMSIG(h.wait_status) == SIGABRT);
}

static void
test_child_that_sends_garbage_is_killed(void **state)
{
	struct heard	h;

	(void)state;
	log_set_level(LOG_LEVEL_ERROR);
	h = run_script("printf '\\003\\0\\0\\0{{{' >&3; exec sleep 100", false);
	assert_int_equal(h.messages, 0);
	assert_true(h.ends == 1 && WIFSIGNALED(h.wait_status) &&
	    WTERMSIG(h.wait_status) == SIGKILL);
	h = run_script("printf '\\377\\377\\377\\377' >&3; exec sleep 100", false);
	assert_true(h.ends == 1 && WIFSIGNALED(h.wait_status) &&
	    WTERMSIG(h.wait_status) == SIGKILL);
}

static void
test_child_gets_what_is_sent_and_no_descriptor_beyond_three(void **state)
{
	struct heard	h;

	(void)state;
	h = run_script("[ -e /proc/self/fd/4 ] && exit 1; head -c 4 <&3 >/dev/null;"
	    " head -c 20 <&3 | grep -q cancel || head -c 4 <&3 | grep -q . || exit 2; exit 0",
	    true);
	assert_true(h.ends == 1 && WIFEXITED(h.wait_status));
	assert_int_equal(WEXITSTATUS(h.wait_status), 0);
}

static void
test_child_that_ignores_the_closed_socket_is_stopped_by_force(void **state)
{
	static const struct child_events	events = { on_message, on_end };
	const char				*argv[] = { "/bin/sh", "-c",
						    "exec 3<&-; exec sleep 100", NULL };
	struct event_base			*base = event_base_new();
	struct heard				 h = { .base = base };
	struct child_pool			*pool;
	struct child				*c;
	struct fault				 why;
	pid_t					 pid;

	(void)state;
	assert_int_equal(child_pool_new(&pool, base, &why), ST_OK);
	assert_int_equal(child_start(pool, &c, argv, &events, &h, &why), ST_OK);
	pid = child_pid(c);
	child_pool_free(pool);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(h.ends, 0);
	free_loop(base);
}

static void
test_child_that_cannot_be_started_is_an_error_with_its_path(void **state)
{
	static const struct child_events	events = { on_message, on_end };
	const char				*argv[] = { "/nonexistent/worker", NULL };
	struct event_base			*base = event_base_new();
	struct child_pool			*pool;
	struct child				*c;
	struct fault				 why;

	(void)state;
	assert_int_equal(child_pool_new(&pool, base, &why), ST_OK);
	assert_int_equal(child_start(pool, &c, argv, &events, NULL, &why), ST_IO);
	assert_non_null(strstr(why.text, "/nonexistent/worker"));
	child_pool_free(pool);
	free_loop(base);
}

static void
test_child_is_over_though_a_descendant_holds_its_socket(void **state)
{
	struct heard	h;

	(void)state;
	h = run_script("printf '\\034\\0\\0\\0{\"kind\":\"hello\",\"report\":{}}' >&3;"
	    " sleep 20 >/dev/null 2>&1 & exit 3", false);
	assert_int_equal(h.messages, 1);
	assert_true(h.ends == 1 && WIFEXITED(h.wait_status) && WEXITSTATUS(h.wait_status) == 3);
}

/* A header that announces too much, then bytes without an end, from a descendant too. */
static void
test_child_that_floods_is_over_with_its_first_fault(void **state)
{
	struct heard	h;

	(void)state;
	log_set_level(LOG_LEVEL_ERROR);
	h = run_script("(timeout 20 yes >&3 2>/dev/null) & exec yes >&3", false);
	assert_int_equal(h.messages, 0);
	assert_true(h.ends == 1 && WIFSIGNALED(h.wait_status) &&
	    WTERMSIG(h.wait_status) == SIGKILL);
}

static void
test_child_that_closes_its_socket_and_goes_on_is_killed(void **state)
{
	struct heard	h = run_script("exec 3<&-; exec sleep 100", false);

	(void)state;
	assert_true(h.ends == 1 && WIFSIGNALED(h.wait_status) &&
	    WTERMSIG(h.wait_status) == SIGKILL);
}

/* The log while a script runs as a worker; *h: what was heard of it. */
static const char *
log_of(const char *script, struct heard *h)
{
	static char	 text[200000];
	FILE		*file = tmpfile();
	const int	 before = dup(STDERR_FILENO);
	size_t		 n;

	assert_true(file != NULL && before >= 0);
	log_set_level(LOG_LEVEL_INFO);
	(void)dup2(fileno(file), STDERR_FILENO);
	*h = run_script(script, false);
	(void)dup2(before, STDERR_FILENO);
	(void)close(before);
	rewind(file);
	n = fread(text, 1, sizeof text - 1, file);
	text[n] = '\0';
	(void)fclose(file);
	assert_int_equal(h->ends, 1);
	return text;
}

static void
test_D1_child_its_output_is_in_the_log_with_its_number_and_level(void **state)
{
	struct heard	 h;
	const char	*log = log_of("echo $$; echo info it begins; echo 'error it' >&2;"
			    " echo debug unseen; printf half", &h);
	char		 want[200];
	int		 pid;

	(void)state;
	assert_int_equal(sscanf(log, "warn worker=%d", &pid), 1);
	(void)snprintf(want, sizeof want, "warn worker=%d %d\ninfo worker=%d it begins\n"
	    "error worker=%d it\nwarn worker=%d half\n", pid, pid, pid, pid, pid);
	assert_string_equal(log, want);
}

/* A full pipe refuses lines: the last one is written until it gets in. */
static void
test_D1_child_that_writes_without_end_has_few_lines_a_count_and_its_last_words(void **state)
{
	struct heard	 h;
	const char	*log = log_of("i=0; while [ $i -lt 20000 ]; do"
			    " echo a line of many, and of some length, with number $i >&2;"
			    " i=$((i + 1)); done 2>&1; until echo it dies of this; do :; done;"
			    " exit 5", &h);

	(void)state;
	assert_true(WIFEXITED(h.wait_status) && WEXITSTATUS(h.wait_status) == 5);
	assert_non_null(strstr(log, "number 0\n"));
	assert_non_null(strstr(log, "wrote too much: "));
	assert_non_null(strstr(log, "it dies of this\n"));
	assert_true(strlen(log) < 60000);	/* of 1 MB; more only after minutes */
}

static void
test_D1_child_a_line_without_end_is_cut(void **state)
{
	struct heard	 h;
	const char	*log = log_of("head -c 50000 /dev/zero | tr '\\0' x; echo; echo next", &h);

	(void)state;
	assert_true(strcspn(log, "\n") < 1100 && log[1000] == 'x');
	assert_non_null(strstr(log, " next\n"));
	assert_non_null(strstr(log, " 0 lines, 49000 bytes are left out"));
}

static void
test_D1_child_is_over_though_a_descendant_writes_on(void **state)
{
	struct heard	 h;
	const char	*log = log_of("(exec 3<&-; exec timeout 20 yes) & echo it ends; exit 3", &h);

	(void)state;
	assert_true(WIFEXITED(h.wait_status) && WEXITSTATUS(h.wait_status) == 3);
	assert_true(strlen(log) < 60000);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_child_is_over_though_a_descendant_holds_its_socket),
		cmocka_unit_test(test_child_that_floods_is_over_with_its_first_fault),
		cmocka_unit_test(test_child_that_closes_its_socket_and_goes_on_is_killed),
		cmocka_unit_test(test_child_a_message_sent_just_before_the_end_is_not_lost),
		cmocka_unit_test(test_child_a_signal_is_told_apart_from_an_exit),
		cmocka_unit_test(test_child_that_sends_garbage_is_killed),
		cmocka_unit_test(test_child_gets_what_is_sent_and_no_descriptor_beyond_three),
		cmocka_unit_test(test_child_that_ignores_the_closed_socket_is_stopped_by_force),
		cmocka_unit_test(test_child_that_cannot_be_started_is_an_error_with_its_path),
		cmocka_unit_test(test_D1_child_its_output_is_in_the_log_with_its_number_and_level),
		cmocka_unit_test(
		    test_D1_child_that_writes_without_end_has_few_lines_a_count_and_its_last_words),
		cmocka_unit_test(test_D1_child_a_line_without_end_is_cut),
		cmocka_unit_test(test_D1_child_is_over_though_a_descendant_writes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
