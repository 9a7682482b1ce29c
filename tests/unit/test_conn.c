/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libassay against servers that misbehave: each test has one of its own, a child that plays a
 * script.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/connect/client.h"

enum { PATIENCE_MS = 120000 };		/* an end for what hangs */

/*
 * For each request, in order, these bytes; the connection is closed after the last.  `slowly`: byte
 * by byte.  `greeting` is sent before anything is read; so many times.
 */
struct script {
	const char	*const *replies;	/* NULL-terminated */
	bool		 slowly, http;
	const char	*greeting;
	size_t		 greetings;
};

struct fake {
	char	dir[32], path[64];
	pid_t	pid;
};

static void
say_all(int fd, const char *text, size_t n, bool slowly)
{
	while (n > 0) {
		ssize_t	sent = send(fd, text, slowly ? 1 : n, MSG_NOSIGNAL);

		if (sent <= 0)
			_exit(0);
		text += sent;
		n -= (size_t)sent;
	}
}

/* Its bytes without the newline. */
static size_t
hear_line(int fd)
{
	char	c = '\0';
	size_t	n = 0;

	for (; c != '\n'; n++)
		if (read(fd, &c, 1) != 1)
			_exit(0);
	return n - 1;
}

static void
play(int listener, const struct script *s)
{
	int	fd = accept(listener, NULL, NULL);

	for (size_t i = 0; i < s->greetings; i++)
		say_all(fd, s->greeting, strlen(s->greeting), false);
	for (const char *const *reply = s->replies; *reply != NULL; reply++) {
		while (hear_line(fd) > 1 && s->http)
			continue;		/* up to the blank line behind the headers */
		say_all(fd, *reply, strlen(*reply), s->slowly);
	}
	(void)close(fd);
	_exit(0);
}

static void
fake_start(struct fake *f, const struct script *s)
{
	struct sockaddr_un	sa = { .sun_family = AF_UNIX };
	int			fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)strcpy(f->dir, "/tmp/assay-conn-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	(void)snprintf(f->path, sizeof f->path, "%s/s", f->dir);
	(void)strcpy(sa.sun_path, f->path);
	assert_int_equal(bind(fd, (struct sockaddr *)&sa, sizeof sa), 0);
	assert_int_equal(listen(fd, 1), 0);
	f->pid = fork();
	assert_true(f->pid >= 0);
	if (f->pid == 0)
		play(fd, s);
	(void)close(fd);
}

static void
fake_stop(struct fake *f)
{
	assert_int_equal(waitpid(f->pid, NULL, 0), f->pid);
	(void)unlink(f->path);
	(void)rmdir(f->dir);
}

static enum status
open_client(struct assay **a, const char *address, struct fault *why)
{
	struct assay_error	e;

	*a = assay_new();
	assert_non_null(*a);
	if (assay_open(*a, address, &e) == 0)
		return ST_OK;
	assay_free(*a);
	*a = NULL;
	return client_fault(why, &e);
}

/* Open a connection to a server with this script, run `body`, close. */
static void
with_server(const struct script *s, void (*body)(struct assay *))
{
	struct assay	*c;
	struct fault		 why;
	struct fake		 f;

	fake_start(&f, s);
	assert_int_equal(open_client(&c, f.path, &why), ST_OK);
	body(c);
	assay_free(c);
	fake_stop(&f);
}

/* The next call fails like this. */
static void
assert_call_fails(struct assay *c, enum status st, const char *in_words)
{
	json_t		*result = (json_t *)c;
	struct fault	 why;

	assert_int_equal(client_call(c, "server.info", NULL, &result, &why), st);
	assert_int_equal(why.status, st);
	assert_null(result);
	if (strstr(why.text, in_words) == NULL)
		fail_msg("\"%s\" lacks \"%s\"", why.text, in_words);
}

static void
assert_next_is(struct assay *c, int want)
{
	json_t		*params;
	struct fault	 why;

	assert_int_equal(client_next(c, PATIENCE_MS, &params, &why), ST_OK);
	assert_int_equal(json_integer_value(json_object_get(params, "n")), want);
	json_decref(params);
}

static void
assert_answers(struct assay *c, int want)
{
	json_t		*result, *params = json_pack("{s:s}", "name", "x");
	struct fault	 why;

	assert_int_equal(client_call(c, "job.get", params, &result, &why), ST_OK);
	assert_int_equal(json_integer_value(result), want);
	json_decref(result);
	json_decref(params);
}

/* ---- replies ---- */

static void
calls_twice(struct assay *c)
{
	assert_answers(c, 11);
	assert_answers(c, 12);
}

static void
test_conn_puts_a_reply_together_from_single_bytes(void **state)
{
	static const char *const	replies[] =
	    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":11}\n",
	    "{\"id\":2,\"result\":12}\n", NULL };
	const struct script		s = { .replies = replies, .slowly = true };

	(void)state;
	with_server(&s, calls_twice);
}

static void
gets_something_huge(struct assay *c)
{
	json_t		*result;
	struct fault	 why;

	assert_int_equal(client_call(c, "results.query", NULL, &result, &why), ST_OK);
	assert_int_equal(json_string_length(result), 20 << 20);
	json_decref(result);
	assert_answers(c, 12);
}

static void
test_conn_reads_a_huge_reply(void **state)
{
	static char		 huge[(20 << 20) + 64];
	const char		*replies[] = { huge, "{\"id\":2,\"result\":12}\n", NULL };
	const struct script	 s = { .replies = replies };
	size_t			 n = (size_t)sprintf(huge, "{\"id\":1,\"result\":\"");

	(void)state;
	memset(huge + n, 'x', 20 << 20);
	(void)strcpy(huge + n + (20 << 20), "\"}\n");
	with_server(&s, gets_something_huge);
}

static void
keeps_notifications(struct assay *c)
{
	json_t		*params;
	struct fault	 why;

	assert_answers(c, 11);
	assert_next_is(c, 1);
	assert_answers(c, 12);
	assert_next_is(c, 2);
	assert_next_is(c, 3);
	/* it has closed */
	assert_int_equal(client_next(c, PATIENCE_MS, &params, &why), ST_UNAVAILABLE);
	assert_null(params);
}

static void
test_conn_keeps_notifications_that_come_during_calls(void **state)
{
	static const char *const	replies[] = {
		"{\"method\":\"result\",\"params\":{\"n\":1}}\n{\"id\":1,\"result\":11}\n"
		"{\"method\":\"result\",\"params\":{\"n\":2}}\n",
		"{\"method\":\"result\",\"params\":{\"n\":3}}\n{\"id\":2,\"result\":12}\n", NULL };
	const struct script		s = { .replies = replies };

	(void)state;
	with_server(&s, keeps_notifications);
}

static void
looks_without_waiting(struct assay *c)
{
	json_t		*params = (json_t *)c;
	struct fault	 why;

	assert_int_equal(client_next(c, 0, &params, &why), ST_OK);
	assert_null(params);
	assert_answers(c, 11);
}

static void
test_conn_tells_when_no_notification_has_come(void **state)
{
	static const char *const	replies[] = { "{\"id\":1,\"result\":11}\n", NULL };
	const struct script		s = { .replies = replies };

	(void)state;
	with_server(&s, looks_without_waiting);
}

/* ---- refusals ---- */

static void
is_refused(struct assay *c)
{
	json_t		*result;
	struct fault	 why;

	assert_int_equal(client_call(c, "job.submit", NULL, &result, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "job.spec.args.X.type");
	assert_string_equal(why.text, "\"doubel\" is no type");
	assert_string_equal(why.hint, "did you mean \"double\"?");
	assert_call_fails(c, ST_CONFLICT, "taken");		/* an unknown word: the code decides */
	assert_call_fails(c, ST_INTERNAL, "no reason given");
}

static void
test_conn_keeps_the_words_of_a_refusal(void **state)
{
	static const char *const	replies[] = {
		"{\"id\":1,\"error\":{\"code\":-32602,\"message\":\"m\",\"data\":{\"word\":\"bad_spec\",\"member\":"
		"\"job.spec.args.X.type\",\"reason\":\"\\\"doubel\\\" is no type\","
		"\"hint\":\"did you mean \\\"double\\\"?\"}}}\n",
		"{\"id\":2,\"error\":{\"code\":-32002,\"message\":\"taken\",\"data\":{\"word\":\"from_the_future\"}}"
		"}\n",
		"{\"id\":3,\"error\":{\"code\":1,\"data\":{\"word\":\"ok\"}}}\n", NULL };
	const struct script		s = { .replies = replies };

	(void)state;
	with_server(&s, is_refused);
}

/* ---- servers that misbehave ---- */

static void
is_malformed(struct assay *c)
{
	assert_call_fails(c, ST_IO, "the daemon's reply");
	assert_call_fails(c, ST_UNAVAILABLE, "closed");		/* nobody knows where the next
								 * message begins */
}

static void
test_conn_refuses_replies_that_are_none(void **state)
{
	static const char *const	bad[] = {
		"nonsense\n", "\n", "[]\n", "7\n", "{\"id\":1,\"result\":1,\"result\":2}\n",
		    "{\"id\":1}\n", "{}\n",
		"{\"id\":2,\"result\":1}\n", "{\"id\":\"1\",\"result\":1}\n",
		"{\"id\":1,\"error\":3}\n", "{\"id\":1,\"result\":\"\xff\"}\n",
		"{\"id\":1,\"result\":1}}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const char		*replies[] = { bad[i], NULL };
		const struct script	 s = { .replies = replies };

		with_server(&s, is_malformed);
	}
}

static void
is_left_alone(struct assay *c)
{
	json_t		*result;
	struct fault	 why;

	assert_int_equal(client_call(c, "queue.get", NULL, &result, &why), ST_UNAVAILABLE);
	assert_non_null(strstr(why.text, "closed"));
	assert_string_not_equal(why.hint, "");
	assert_call_fails(c, ST_UNAVAILABLE, "closed");
}

static void
test_conn_says_when_the_server_vanishes(void **state)
{
	static const char *const	nothing[] = { NULL },
	    *const half[] = { "{\"id\":1,\"resu", NULL };
	const struct script		at_once = { .replies = nothing };
	const struct script		in_the_middle = { .replies = half };

	(void)state;
	with_server(&at_once, is_left_alone);
	with_server(&in_the_middle, is_left_alone);
}

static void
gives_up_and_goes_on(struct assay *c)
{
	client_set_timeout(c, 20);
	assert_call_fails(c, ST_UNAVAILABLE, "does not answer");
	client_set_timeout(c, PATIENCE_MS);
	assert_answers(c, 12);
}

static void
test_conn_drops_the_reply_to_a_call_that_was_given_up(void **state)
{
	static const char *const	replies[] = { "",
	    "{\"id\":1,\"result\":11}\n{\"id\":2,\"result\":12}\n", NULL };
	const struct script		s = { .replies = replies };

	(void)state;
	with_server(&s, gives_up_and_goes_on);
}

static void
is_stopped(struct assay *c)
{
	int	p[2];

	assert_int_equal(pipe(p), 0);
	assert_int_equal(write(p[1], "", 1), 1);
	assay_stop_on(c, p[0]);
	assert_call_fails(c, ST_CANCELLED, "interrupted");
	assay_stop_on(c, -1);
	assert_answers(c, 12);
	(void)close(p[0]);
	(void)close(p[1]);
}

static void
test_conn_lets_a_descriptor_end_a_call(void **state)
{
	static const char *const	replies[] = { "",
	    "{\"id\":1,\"result\":11}\n{\"id\":2,\"result\":12}\n", NULL };
	const struct script		s = { .replies = replies };

	(void)state;
	with_server(&s, is_stopped);
}

/* Both sides have more to say than a socket holds: somebody has to listen meanwhile. */
static void
talks_at_once(struct assay *c)
{
	char		*text = malloc((2 << 20) + 1);
	json_t		*params, *result;
	struct fault	 why;

	assert_non_null(text);
	memset(text, 'x', 2 << 20);
	text[2 << 20] = '\0';
	params = json_pack("{s:s}", "source", text);
	free(text);
	assert_int_equal(client_call(c, "job.submit", params, &result, &why), ST_OK);
	json_decref(result);
	json_decref(params);
	for (int i = 0; i < 50000; i++)
		assert_next_is(c, 5);
}

static void
test_conn_listens_while_it_speaks(void **state)
{
	static const char *const	replies[] = { "{\"id\":1,\"result\":11}\n", NULL };
	const struct script		s = { .replies = replies, .greetings = 50000,
	    .greeting = "{\"method\":\"result\",\"params\":{\"n\":5,\"text\":\"some more "
	    "bytes to fill the " "socket with\"}}\n" };

	(void)state;
	with_server(&s, talks_at_once);
}

/* ---- no server ---- */

static void
test_conn_says_what_to_do_without_a_daemon(void **state)
{
	char			 longest[200];
	struct assay	*c = (struct assay *)longest;
	struct fault		 why;

	(void)state;
	assert_int_equal(open_client(&c, "/nonexistent/assay.sock", &why), ST_UNAVAILABLE);
	assert_null(c);
	assert_non_null(strstr(why.hint, "assay serve"));
	memset(longest, '/', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	assert_int_equal(open_client(&c, longest, &why), ST_BAD_REQUEST);
	assay_free(NULL);
}

/* ---- HTTP ---- */

static void
assert_http(const char *reply, const char *method, enum status want, const char *in_words)
{
	const char		*replies[] = { reply, NULL };
	const struct script	 s = { .replies = replies, .http = true };
	char			 address[80];
	struct assay	*h;
	struct fault		 why;
	struct fake		 f;
	json_t			*result;

	fake_start(&f, &s);
	(void)snprintf(address, sizeof address, "http+unix:%s", f.path);
	assert_int_equal(open_client(&h, address, &why), ST_OK);
	assert_int_equal(client_call(h, method, NULL, &result, &why), want);
	if (want == ST_OK)
		assert_int_equal(json_integer_value(json_object_get(result, "n")), 3);
	else if (strstr(why.text, in_words) == NULL)
		fail_msg("\"%s\" lacks \"%s\"", why.text, in_words);
	json_decref(result);
	assay_free(h);
	fake_stop(&f);
}

static void
test_http_reads_documents_and_problems(void **state)
{
	(void)state;
	assert_http("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"n\":3}",
	    "queue.get", ST_OK, "");
	assert_http("HTTP/1.1 404 Not Found\r\nContent-Length: 42\r\n\r\n"
	    "{\"detail\":\"no sweep x\",\"word\":\"not_found\"}",
	    "host.get", ST_NOT_FOUND, "no sweep x");
	assert_http("HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\n{}", "host.get",
	    ST_CONFLICT, "HTTP 409");
}

static void
test_http_refuses_replies_that_are_none(void **state)
{
	(void)state;
	assert_http("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "host.get", ST_IO,
	    "is that a daemon of Assay?");
	assert_http("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
	    "host.get", ST_IO, "HTTP 302");
	assert_http("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"n\":", "host.get",
	    ST_UNAVAILABLE, "");
	assert_http("gibberish\r\n", "host.get", ST_UNAVAILABLE, "");
	assert_http("", "host.get", ST_UNAVAILABLE, "");
}

static void
test_http_knows_which_addresses_and_methods_it_serves(void **state)
{
	static const char *const	bad[] = { "", "ftp://x", "https://", "https:///x", "http+unix:", "127.0.0.1:80",
	    "https://user:word@host", "ssh://", "ssh:///path", "ssh://-oProxyCommand=x",
	    "ssh://-x@host", "ssh://a b", "ssh://host:0", "ssh://host:x", "ssh://[::1", "ssh://$(x)" };
	struct assay		*h;
	struct fault			 why;
	json_t				*result;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(open_client(&h, bad[i], &why), ST_BAD_REQUEST);
	assert_int_equal(open_client(&h, "http://127.0.0.1:1/", &why), ST_OK);
	assert_int_equal(client_call(h, "store.check", NULL, &result, &why), ST_BAD_REQUEST);
	assert_int_equal(client_call(h, "queue.get", NULL, &result, &why), ST_UNAVAILABLE);
	assert_non_null(strstr(why.hint, "--http"));
	assay_free(h);
	assay_free(NULL);
}

/* root's rights would open every socket. */
static enum status
open_as_an_ordinary_user(const char *path, struct fault *why)
{
	struct assay	*conn;
	const bool		 is_root = geteuid() == 0;
	enum status		 st;

	assert_true(!is_root || seteuid(65534) == 0);
	st = open_client(&conn, path, why);
	assert_true(!is_root || seteuid(0) == 0);
	assert_null(conn);
	return st;
}

static void
test_conn_a_dead_socket_of_another_user_is_no_daemon(void **state)
{
	struct sockaddr_un	 sa = { .sun_family = AF_UNIX };
	char			 dir[] = "/tmp/assay-conn-XXXXXX";
	int			 fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct fault		 why;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(sa.sun_path, sizeof sa.sun_path, "%s/sock", dir);
	assert_int_equal(bind(fd, (const struct sockaddr *)&sa, sizeof sa), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(chmod(sa.sun_path, 0), 0);
	assert_int_equal(open_as_an_ordinary_user(sa.sun_path, &why), ST_DENIED);
	assert_non_null(strstr(why.hint, "belongs to another user"));
	assert_int_equal(close(fd), 0);
	assert_int_equal(open_as_an_ordinary_user(sa.sun_path, &why), ST_UNAVAILABLE);
	assert_non_null(strstr(why.text, "no daemon listens"));
	assert_int_equal(unlink(sa.sun_path), 0);
	assert_int_equal(rmdir(dir), 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_conn_puts_a_reply_together_from_single_bytes),
		cmocka_unit_test(test_conn_a_dead_socket_of_another_user_is_no_daemon),
		cmocka_unit_test(test_conn_reads_a_huge_reply),
		cmocka_unit_test(test_conn_keeps_notifications_that_come_during_calls),
		cmocka_unit_test(test_conn_tells_when_no_notification_has_come),
		cmocka_unit_test(test_conn_keeps_the_words_of_a_refusal),
		cmocka_unit_test(test_conn_refuses_replies_that_are_none),
		cmocka_unit_test(test_conn_says_when_the_server_vanishes),
		cmocka_unit_test(test_conn_drops_the_reply_to_a_call_that_was_given_up),
		cmocka_unit_test(test_conn_lets_a_descriptor_end_a_call),
		cmocka_unit_test(test_conn_listens_while_it_speaks),
		cmocka_unit_test(test_conn_says_what_to_do_without_a_daemon),
		cmocka_unit_test(test_http_reads_documents_and_problems),
		cmocka_unit_test(test_http_refuses_replies_that_are_none),
		cmocka_unit_test(test_http_knows_which_addresses_and_methods_it_serves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
