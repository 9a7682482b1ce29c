/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/http/http_wire.h"

#define HOST	"Host: localhost\r\n"
#define POST	"POST /v1/jobs HTTP/1.1\r\n" HOST

/* How many requests end in a text, however its bytes come; -1: it is refused. */
static int
requests_in(const char *text, size_t portion)
{
	const size_t	n = strlen(text);
	struct wire	w = { .state = WIRE_IDLE };
	int		whole = 0;

	for (size_t at = 0; at < n;) {
		size_t	some = n - at < portion ? n - at : portion;

		at += wire_read(&w, text + at, some);
		if (w.state == WIRE_BAD)
			return -1;
		whole += w.state == WIRE_IDLE;
	}
	return w.state == WIRE_IDLE ? whole : whole + 100;
}

static void
assert_requests(int want, const char *text)
{
	for (size_t portion = 1; portion <= strlen(text); portion++)
		assert_int_equal(requests_in(text, portion), want);
}

static void
test_wire_requests_end_where_their_heads_say(void **state)
{
	(void)state;
	assert_requests(1, "GET / HTTP/1.1\r\n" HOST "\r\n");
	assert_requests(1, "GET / HTTP/1.0\r\n\r\n");
	assert_requests(2, "GET / HTTP/1.1\r\n" HOST "\r\nDELETE / HTTP/1.1\r\n" HOST "\r\n");
	assert_requests(2, POST "Content-Length: 3\r\n\r\n\r\n\r" "GET / HTTP/1.0\r\n\r\n");
	assert_requests(1, POST "content-length:0\r\n\r\n");
	assert_requests(2, POST "Transfer-Encoding: Chunked\r\n\r\n"
	    "3\r\nabc\r\n00a\r\n0123456789\r\n0\r\nA: b\r\n\r\n" "GET / HTTP/1.0\r\n\r\n");
	assert_requests(100, "GET / HTTP/1.1\r\n" HOST);
	assert_requests(100, POST "Content-Length: 3\r\n\r\nab");
}

static bool
says_no_length(const char *head)
{
	struct wire	w = { .state = WIRE_IDLE };

	assert_int_equal(wire_read(&w, head, strlen(head)), strlen(head));
	return w.says_no_length;
}

static void
test_wire_a_body_without_any_length_is_empty(void **state)
{
	(void)state;
	assert_requests(2, POST "\r\n" POST "\r\n");
	assert_true(says_no_length(POST "\r\n"));
	assert_true(says_no_length("PUT / HTTP/1.0\r\n\r\n"));
	assert_false(says_no_length(POST "Content-Length: 0\r\n\r\n"));
	assert_false(says_no_length(POST "Transfer-Encoding: chunked\r\n\r\n"));
	assert_false(says_no_length("DELETE / HTTP/1.1\r\n" HOST "\r\n"));
}

static void
test_wire_what_has_no_certain_end_is_refused(void **state)
{
	static const char *const	bad[] = {
		"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n" HOST HOST "\r\n",
		"GET / HTTP/1.1\n", "GET / HTTP/1.1\r\n" HOST "A: b\n", "GET / HTTP/1.1\r\n A: b\r\n",
		"GET / HTTP/1.1\r\nA : b\r\n", "GET / HTTP/1.1\r\nA: b\rc\r\n", "GET / HTTP/1.1\r\nno\r\n",
		"GET / HTTP/1.1\r\n: b\r\n", "GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n",
		POST "Content-Length: 1\r\nContent-Length: 1\r\n", POST "Content-Length: 1,1\r\n",
		POST "Content-Length: -1\r\n", POST "Content-Length: 0x1\r\n", POST "Content-Length:\r\n",
		POST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
		POST "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
		POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
		POST "Transfer-Encoding: identity\r\n", POST "Transfer-Encoding: chunked, gzip\r\n",
		"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
		POST "Transfer-Encoding: chunked\r\n\r\n+1\r\n", POST "Transfer-Encoding: chunked\r\n\r\n\r\n",
		POST "Transfer-Encoding: chunked\r\n\r\n1;a\r\n",
		POST "Transfer-Encoding: chunked\r\n\r\n123456789\r\n",
		POST "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
		POST "Transfer-Encoding: chunked\r\n\r\n0\r\n A\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_requests(-1, bad[i]);
}

static void
test_wire_the_line_at_fault_is_counted_from_its_beginning(void **state)
{
	static const char	text[] = "GET / HTTP/1.1\r\n" HOST "A: b\nrest";
	struct wire		w = { .state = WIRE_IDLE };

	(void)state;
	assert_int_equal(wire_read(&w, text, 20), 20);
	assert_int_equal(wire_read(&w, text + 20, sizeof text - 21), strlen(text) - 4 - 20);
	assert_int_equal(w.state, WIRE_BAD);
	assert_int_equal(w.line_bytes, strlen("A: b\n"));
	assert_int_equal(wire_read(&w, text, 5), 0);
}

static void
test_wire_nul_bytes_are_for_bodies_alone(void **state)
{
	static const char	head[] = "GET /\0 HTTP/1.1\r\n", body[] = "\0\0\0";
	struct wire		w = { .state = WIRE_IDLE };

	(void)state;
	(void)wire_read(&w, head, sizeof head - 1);
	assert_int_equal(w.state, WIRE_BAD);
	w = (struct wire){ .state = WIRE_IDLE };
	(void)wire_read(&w, POST "Content-Length: 3\r\n\r\n", strlen(POST) + 21);
	assert_int_equal(w.state, WIRE_BODY);
	assert_int_equal(wire_read(&w, body, 3), 3);
	assert_int_equal(w.state, WIRE_IDLE);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_wire_requests_end_where_their_heads_say),
		cmocka_unit_test(test_wire_a_body_without_any_length_is_empty),
		cmocka_unit_test(test_wire_what_has_no_certain_end_is_refused),
		cmocka_unit_test(test_wire_the_line_at_fault_is_counted_from_its_beginning),
		cmocka_unit_test(test_wire_nul_bytes_are_for_bodies_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
