/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "daemon/doors/peer.h"

enum { TCP_IS_ESTABLISHED = 1, TCP_IS_FIN_WAIT1 = 4, TCP_IS_FIN_WAIT2 = 5, ENDPOINT_BYTES = 48 };

/*
 * Only a socket with an inode still has its owner: one that was closed is listed as root's.  One
 * that sends no more may still be read.
 */
bool
peer_has_owner(unsigned state, unsigned long inode)
{
	return inode != 0 && (state == TCP_IS_ESTABLISHED || state == TCP_IS_FIN_WAIT1 ||
	    state == TCP_IS_FIN_WAIT2);
}

bool
peer_line(const char *line, const char *local, const char *remote, uid_t *uid)
{
	char		a[80], b[80];
	unsigned	state, owner;
	unsigned long	inode;

	if (sscanf(line, "%*d: %79[0-9A-F:] %79[0-9A-F:] %x %*x:%*x %*x:%*x %*x %u %*d %lu", a, b,
	    &state, &owner, &inode) != 5)
		return false;
	if (strcmp(a, local) != 0 || strcmp(b, remote) != 0 || !peer_has_owner(state, inode))
		return false;
	*uid = owner;
	return true;
}

static bool
look_up(const char *table, const char *local, const char *remote, uid_t *uid)
{
	char	 line[512];
	FILE	*f = fopen(table, "re");
	bool	 found = false;

	if (f == NULL)
		return false;
	while (!found && fgets(line, sizeof line, f) != NULL)
		found = peer_line(line, local, remote, uid);
	(void)fclose(f);
	return found;
}

/* The kernel prints each 32-bit word of an address as a number, in its own byte order. */
static void
put_endpoint4(char buf[ENDPOINT_BYTES], const struct sockaddr_in *sa)
{
	(void)snprintf(buf, ENDPOINT_BYTES, "%08X:%04X", (unsigned)sa->sin_addr.s_addr,
	    (unsigned)ntohs(sa->sin_port));
}

/* An IPv6 socket that speaks IPv4. */
static void
put_endpoint_mapped(char buf[ENDPOINT_BYTES], const struct sockaddr_in *sa)
{
	(void)snprintf(buf, ENDPOINT_BYTES, "%08X%08X%08X%08X:%04X", 0U, 0U,
	    (unsigned)htonl(0xffff), (unsigned)sa->sin_addr.s_addr, (unsigned)ntohs(sa->sin_port));
}

static void
put_endpoint6(char buf[ENDPOINT_BYTES], const struct sockaddr_in6 *sa)
{
	uint32_t	w[4];

	memcpy(w, &sa->sin6_addr, sizeof w);
	(void)snprintf(buf, ENDPOINT_BYTES, "%08X%08X%08X%08X:%04X", w[0], w[1], w[2], w[3],
	    (unsigned)ntohs(sa->sin6_port));
}

static bool
tcp_peer_uid(const union door_peer *peer, const union door_peer *self, uid_t *uid)
{
	char	local[ENDPOINT_BYTES], remote[ENDPOINT_BYTES];

	if (peer->sa.sa_family == AF_INET6) {
		put_endpoint6(local, &peer->in6);
		put_endpoint6(remote, &self->in6);
		return look_up("/proc/net/tcp6", local, remote, uid);
	}
	put_endpoint4(local, &peer->in);
	put_endpoint4(remote, &self->in);
	if (look_up("/proc/net/tcp", local, remote, uid))
		return true;
	put_endpoint_mapped(local, &peer->in);
	put_endpoint_mapped(remote, &self->in);
	return look_up("/proc/net/tcp6", local, remote, uid);
}

bool
peer_is_tcp(evutil_socket_t fd)
{
	union door_peer	self = { .sa.sa_family = AF_UNSPEC };
	socklen_t	bytes = sizeof self;

	return getsockname(fd, &self.sa, &bytes) == 0 && self.sa.sa_family != AF_UNIX;
}

static bool
ends_of(evutil_socket_t fd, union door_peer *peer, union door_peer *self)
{
	socklen_t	peer_bytes = sizeof *peer, self_bytes = sizeof *self;

	return getpeername(fd, &peer->sa, &peer_bytes) == 0 &&
	    getsockname(fd, &self->sa, &self_bytes) == 0;
}

bool
peer_uid_at_once(evutil_socket_t fd, uid_t *uid)
{
	union door_peer	peer, self;

	if (!peer_is_tcp(fd))
		return door_peer_uid(fd, uid);
	return ends_of(fd, &peer, &self) && peer_diag_uid(&peer, &self, uid);
}

bool
peer_has_left(evutil_socket_t fd, bool is_known)
{
	struct pollfd	p = { .fd = fd };
	union door_peer	peer, self;

	if (poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLERR)) != 0)
		return true;
	return is_known && peer_is_tcp(fd) && ends_of(fd, &peer, &self) &&
	    peer_diag_is_closed(&peer, &self);
}

enum status
peer_uid(evutil_socket_t fd, uid_t *uid, struct fault *why)
{
	union door_peer	peer, self;
	enum status	st;

	if (peer_uid_at_once(fd, uid) || (peer_is_tcp(fd) && ends_of(fd, &peer, &self) &&
	    tcp_peer_uid(&peer, &self, uid)))
		return ST_OK;
	st = fault_set(why, ST_DENIED, "the kernel does not say who you are");
	fault_hint(why, "write from this host, outside of network namespaces of your own, or use "
	    "the Unix socket");
	return st;
}
