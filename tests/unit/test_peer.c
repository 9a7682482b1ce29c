/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>

#include "daemon/doors/peer.h"

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
test_peer_line_tells_the_owner_of_an_established_socket(void **state)
{
	uid_t	uid = 0;

	(void)state;
	assert_true(peer_line(LINE(LOCAL, REMOTE, "01", " 1000", "31337"), LOCAL,
	    REMOTE, &uid));
	assert_int_equal(uid, 1000);
}

/* The kernel lists sockets without a process as root's: believing it would make everybody root. */
static void
test_peer_line_believes_no_socket_that_is_closing_or_an_orphan(void **state)
{
	static const char *const	closing[] = {
		LINE(LOCAL, REMOTE, "06", "    0", "0"),		/* TIME_WAIT */
		LINE(LOCAL, REMOTE, "04", "    0", "0"),		/* FIN_WAIT1 */
		LINE(LOCAL, REMOTE, "05", " 1000", "0"),		/* FIN_WAIT2 */
		LINE(LOCAL, REMOTE, "08", " 1000", "31337"),		/* CLOSE_WAIT */
		LINE(LOCAL, REMOTE, "01", "    0", "0"),
	};
	uid_t				uid = 77;

	(void)state;
	for (size_t i = 0; i < sizeof closing / sizeof closing[0]; i++)
		assert_false(peer_line(closing[i], LOCAL, REMOTE, &uid));
	assert_int_equal(uid, 77);
}

static void
test_peer_line_knows_the_owner_of_a_socket_that_sends_no_more(void **state)
{
	uid_t	uid = 77;

	(void)state;
	assert_true(peer_line(LINE(LOCAL, REMOTE, "05", " 1000", "31337"), LOCAL, REMOTE,
	    &uid));
	assert_int_equal(uid, 1000);
}

static void
test_peer_over_tcp_is_the_owner_of_its_socket(void **state)
{
	union door_peer	self = { .in = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) } };
	socklen_t	bytes = sizeof self;
	const int	listener = socket(AF_INET, SOCK_STREAM, 0);
	const int	peer = socket(AF_INET, SOCK_STREAM, 0);
	struct fault	why;
	uid_t		uid = 77;
	int		ours;

	(void)state;
	assert_int_equal(bind(listener, &self.sa, sizeof self.in), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, &self.sa, &bytes), 0);
	assert_int_equal(connect(peer, &self.sa, bytes), 0);
	assert_true((ours = accept(listener, NULL, NULL)) >= 0);
	assert_int_equal(peer_uid(ours, &uid, &why), ST_OK);
	assert_int_equal(uid, geteuid());

	(void)close(peer);		/* the listener at its other end is no owner */
	assert_int_equal(peer_uid(ours, &uid, &why), ST_DENIED);
	(void)close(ours);
	(void)close(listener);
}

static bool
believes(uint16_t type, uint8_t tcp_state, uint32_t inode, size_t bytes)
{
	struct {
		struct nlmsghdr		head;
		struct inet_diag_msg	msg;
	} reply = {
		.head = { .nlmsg_type = type },
		.msg = { .idiag_state = tcp_state, .idiag_inode = inode, .idiag_uid = 1000 },
	};
	uid_t	uid = 77;
	bool	said = peer_diag_reply(&reply, bytes, &uid);

	assert_int_equal(uid, said ? 1000 : 77);
	return said;
}

static void
test_peer_diag_believes_whole_answers_on_owned_sockets(void **state)
{
	const size_t	whole = NLMSG_LENGTH(sizeof(struct inet_diag_msg));

	(void)state;
	assert_true(believes(SOCK_DIAG_BY_FAMILY, 1, 31337, whole));
	assert_true(believes(SOCK_DIAG_BY_FAMILY, 5, 31337, whole));
	assert_false(believes(SOCK_DIAG_BY_FAMILY, 10, 31337, whole));	/* LISTEN */
	assert_false(believes(SOCK_DIAG_BY_FAMILY, 1, 0, whole));
	assert_false(believes(SOCK_DIAG_BY_FAMILY, 1, 31337, whole - 1));
	assert_false(believes(NLMSG_ERROR, 1, 31337, whole));
}

static bool
has_left(unsigned type, unsigned tcp_state, unsigned inode, size_t bytes)
{
	struct {
		struct nlmsghdr		head;
		struct inet_diag_msg	msg;
	} reply = {
		.head = { .nlmsg_type = (uint16_t)type },
		.msg = { .idiag_state = (uint8_t)tcp_state, .idiag_inode = inode },
	};

	return peer_diag_has_left(&reply, bytes);
}

static void
test_peer_diag_knows_a_socket_without_owner_from_no_answer(void **state)
{
	const size_t	whole = NLMSG_LENGTH(sizeof(struct inet_diag_msg));
	struct {
		struct nlmsghdr	head;
		struct nlmsgerr	error;
	} reply = { .head = { .nlmsg_type = NLMSG_ERROR }, .error = { .error = -ENOENT } };

	(void)state;
	assert_true(has_left(SOCK_DIAG_BY_FAMILY, 5, 0, whole));
	assert_true(has_left(SOCK_DIAG_BY_FAMILY, 10, 31337, whole));	/* only a listener */
	assert_false(has_left(SOCK_DIAG_BY_FAMILY, 5, 31337, whole));
	assert_false(has_left(SOCK_DIAG_BY_FAMILY, 5, 0, 0));
	assert_false(has_left(NLMSG_DONE, 5, 0, whole));
	assert_true(peer_diag_has_left(&reply, sizeof reply));
	reply.error.error = -EPERM;
	assert_false(peer_diag_has_left(&reply, sizeof reply));
}

static void
test_peer_line_is_for_exactly_this_pair_of_ends(void **state)
{
	uid_t	uid;

	(void)state;
	assert_false(peer_line(LINE(REMOTE, LOCAL, "01", " 1000", "31337"), LOCAL, REMOTE, &uid));	/* ours */
	assert_false(peer_line(LINE(LOCAL, "0100007F:1F58", "01", " 1000", "1"), LOCAL,
	    REMOTE, &uid));
	assert_false(peer_line("  sl  local_address rem_address   st tx_queue rx_queue\n",
	    LOCAL, REMOTE, &uid));
	assert_false(peer_line("", LOCAL, REMOTE, &uid));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_peer_line_tells_the_owner_of_an_established_socket),
		cmocka_unit_test(test_peer_line_knows_the_owner_of_a_socket_that_sends_no_more),
		cmocka_unit_test(test_peer_line_believes_no_socket_that_is_closing_or_an_orphan),
		cmocka_unit_test(test_peer_line_is_for_exactly_this_pair_of_ends),
		cmocka_unit_test(test_peer_over_tcp_is_the_owner_of_its_socket),
		cmocka_unit_test(test_peer_diag_believes_whole_answers_on_owned_sockets),
		cmocka_unit_test(test_peer_diag_knows_a_socket_without_owner_from_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
