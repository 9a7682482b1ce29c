/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/doors/peer.h"

/* Owners of TCP sockets from the kernel, in one step however many sockets there are. */

enum { REPLY_BYTES = 4096 };

struct question {
	struct nlmsghdr			head;
	struct inet_diag_req_v2		body;
};

/* The socket whose own end is `from`, and whose other end is `to`. */
static void
put_ends(struct inet_diag_sockid *id, const union door_peer *from, const union door_peer *to)
{
	if (from->sa.sa_family == AF_INET6) {
		id->idiag_sport = from->in6.sin6_port;
		id->idiag_dport = to->in6.sin6_port;
		memcpy(id->idiag_src, &from->in6.sin6_addr, sizeof id->idiag_src);
		memcpy(id->idiag_dst, &to->in6.sin6_addr, sizeof id->idiag_dst);
	} else {
		id->idiag_sport = from->in.sin_port;
		id->idiag_dport = to->in.sin_port;
		id->idiag_src[0] = from->in.sin_addr.s_addr;
		id->idiag_dst[0] = to->in.sin_addr.s_addr;
	}
	id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
}

/* The kernel's answer may be of a listener, or of a socket that has no owner any more. */
bool
peer_diag_reply(const void *reply, size_t bytes, uid_t *uid)
{
	struct nlmsghdr		head;
	struct inet_diag_msg	msg;

	if (bytes < NLMSG_LENGTH(sizeof msg))
		return false;
	memcpy(&head, reply, sizeof head);
	if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return false;
	memcpy(&msg, (const char *)reply + NLMSG_HDRLEN, sizeof msg);
	if (!peer_has_owner(msg.idiag_state, msg.idiag_inode))
		return false;
	*uid = msg.idiag_uid;
	return true;
}

/* The kernel has answered: no process has the socket. */
bool
peer_diag_has_left(const void *reply, size_t bytes)
{
	struct nlmsghdr	head;
	struct nlmsgerr	error;
	uid_t		uid;

	if (bytes < NLMSG_LENGTH(sizeof error))
		return false;
	memcpy(&head, reply, sizeof head);
	memcpy(&error, (const char *)reply + NLMSG_HDRLEN, sizeof error);
	if (head.nlmsg_type == NLMSG_ERROR)
		return error.error == -ENOENT;
	return head.nlmsg_type == SOCK_DIAG_BY_FAMILY && !peer_diag_reply(reply, bytes, &uid);
}

/* Bytes of the kernel's answer; 0: none. */
static size_t
ask(const union door_peer *peer, const union door_peer *self, char reply[REPLY_BYTES])
{
	const int	s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	ssize_t		n = -1;
	struct question	q = {
		.head = { .nlmsg_len = sizeof q, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST },
		.body = { .sdiag_family = (uint8_t)peer->sa.sa_family,
			  .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0U },
	};

	if (s < 0)
		return 0;
	put_ends(&q.body.id, peer, self);
	if (send(s, &q, sizeof q, 0) == (ssize_t)sizeof q)
		n = recv(s, reply, REPLY_BYTES, MSG_DONTWAIT);
	(void)close(s);
	return n > 0 ? (size_t)n : 0;
}

bool
peer_diag_uid(const union door_peer *peer, const union door_peer *self, uid_t *uid)
{
	char	reply[REPLY_BYTES];

	return peer_diag_reply(reply, ask(peer, self, reply), uid);
}

bool
peer_diag_is_closed(const union door_peer *peer, const union door_peer *self)
{
	char	reply[REPLY_BYTES];

	return peer_diag_has_left(reply, ask(peer, self, reply));
}
