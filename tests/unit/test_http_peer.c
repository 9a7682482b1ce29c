/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/doors/http_impl.h"

#define LOCAL	"0100007F:9C40"
#define REMOTE	"0100007F:1F57"
/*
 * As the kernel prints it: slot, local, remote, state, queues, timer, retransmits, uid, timeout,
 * inode, …
 */
#define LINE(local, remote, state, uid, inode)									\
	"  12: " local " " remote " " state " 00000000:00000000 00:00000000 00000000 " uid "        0 " inode	\
	" 1 0000000000000000 20 4 30 10 -1\n"

static void
test_http_peer_line_tells_the_owner_of_an_established_socket(void **state)
{
	uid_t	uid = 0;

	(void)state;
	assert_true(http_peer_line(LINE(LOCAL, REMOTE, "01", " 1000", "31337"), LOCAL,
	    REMOTE, &uid));
	assert_int_equal(uid, 1000);
}

/* The kernel lists sockets without a process as root's: believing it would make everybody root. */
static void
test_http_peer_line_believes_no_socket_that_is_closing_or_an_orphan(void **state)
{
	static const char *const	closing[] = {
		LINE(LOCAL, REMOTE, "06", "    0", "0"),		/* TIME_WAIT */
		LINE(LOCAL, REMOTE, "04", "    0", "0"),		/* FIN_WAIT1 */
		LINE(LOCAL, REMOTE, "05", " 1000", "31337"),		/* FIN_WAIT2 */
		LINE(LOCAL, REMOTE, "08", " 1000", "31337"),		/* CLOSE_WAIT */
		LINE(LOCAL, REMOTE, "01", "    0", "0"),
	};
	uid_t				uid = 77;

	(void)state;
	for (size_t i = 0; i < sizeof closing / sizeof closing[0]; i++)
		assert_false(http_peer_line(closing[i], LOCAL, REMOTE, &uid));
	assert_int_equal(uid, 77);
}

static void
test_http_peer_line_is_for_exactly_this_pair_of_ends(void **state)
{
	uid_t	uid;

	(void)state;
	assert_false(http_peer_line(LINE(REMOTE, LOCAL, "01", " 1000", "31337"), LOCAL, REMOTE, &uid));	/* ours */
	assert_false(http_peer_line(LINE(LOCAL, "0100007F:1F58", "01", " 1000", "1"), LOCAL,
	    REMOTE, &uid));
	assert_false(http_peer_line("  sl  local_address rem_address   st tx_queue rx_queue\n",
	    LOCAL, REMOTE, &uid));
	assert_false(http_peer_line("", LOCAL, REMOTE, &uid));
}

static void
test_http_host_is_loopback_by_name_or_number_alone(void **state)
{
	static const char *const	good[] = {
		"localhost", "LocalHost:80", "127.0.0.1", "127.3.2.1:8023", "[::1]", "[::1]:9",
	};
	static const char *const	bad[] = {
		"", "example.org", "localhost.example.org", "127.0.0.1.example.org", "127.1",
		    "10.0.0.1", "[::2]",
		"[::1", "::1", "0.0.0.0", ":80",
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(http_is_loopback_name(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(http_is_loopback_name(bad[i]));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_http_peer_line_tells_the_owner_of_an_established_socket),
		cmocka_unit_test(test_http_peer_line_believes_no_socket_that_is_closing_or_an_orphan),
		cmocka_unit_test(test_http_peer_line_is_for_exactly_this_pair_of_ends),
		cmocka_unit_test(test_http_host_is_loopback_by_name_or_number_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
