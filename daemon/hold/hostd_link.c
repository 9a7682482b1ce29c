/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/hold/hostd_link.h"

enum {
	PATIENCE_S = 30,		/* unplugging a CPU can take long */
	SOON_S = 2,			/* writing to a few files of the kernel cannot */
};

void
hostd_link_init(struct hostd_link *l)
{
	memset(l, 0, sizeof *l);
	l->fd = -1;
}

enum status
hostd_link_open(struct hostd_link *l, const char *socket_path, struct fault *why)
{
	const struct timeval	patience = { .tv_sec = PATIENCE_S };
	struct sockaddr_un	sun = { .sun_family = AF_UNIX };

	hostd_link_init(l);
	if (strlen(socket_path) >= sizeof sun.sun_path)
		return fault_set(why, ST_BAD_REQUEST, "%s: too long for a socket", socket_path);
	(void)strcpy(sun.sun_path, socket_path);
	l->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (l->fd < 0 || connect(l->fd, (struct sockaddr *)&sun, sizeof sun) != 0) {
		(void)fault_set(why, ST_UNAVAILABLE, "%s: %s", socket_path, strerror(errno));
		fault_hint(why, "is assay-hostd running, and may this user connect?");
		hostd_link_release(l);
		return ST_UNAVAILABLE;
	}
	(void)setsockopt(l->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	return ST_OK;
}

static void
close_slots(struct hostd_link *l)
{
	for (unsigned i = 0; i < l->nslots; i++)
		(void)close(l->slot_fd[i]);
	l->nslots = 0;
}

static void
take_slots(struct hostd_link *l, struct msghdr *msg)
{
	struct cmsghdr	*c = CMSG_FIRSTHDR(msg);

	if (c == NULL || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return;
	close_slots(l);
	l->nslots = (unsigned)((c->cmsg_len - CMSG_LEN(0)) / sizeof l->slot_fd[0]);
	memcpy(l->slot_fd, CMSG_DATA(c), l->nslots * sizeof l->slot_fd[0]);
}

static enum status
receive(struct hostd_link *l, struct fault *why)
{
	union {
		struct cmsghdr	align;
		char		bytes[CMSG_SPACE(sizeof l->slot_fd)];
	} control;
	struct iovec	iov = { &l->reply, sizeof l->reply };
	struct msghdr	msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof control };
	ssize_t		n = recvmsg(l->fd, &msg, MSG_CMSG_CLOEXEC);

	if (n > 0)
		take_slots(l, &msg);
	if (n != (ssize_t)sizeof l->reply || l->reply.magic != HOSTD_MAGIC)
		return fault_set(why, ST_UNAVAILABLE, "assay-hostd gave no answer%s%s",
		    n < 0 ? ": " : "", n < 0 ? strerror(errno) : "");
	l->reply.partition[sizeof l->reply.partition - 1] = '\0';
	l->reply.text[sizeof l->reply.text - 1] = '\0';
	return ST_OK;
}

/* false: more CPUs than a request has room for. */
static bool
put_slot(struct hostd_request *r, unsigned slot, const cpu_set_t *cpus)
{
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, cpus))
			continue;
		if (r->ncpus == HOSTD_MAX_CPUS)
			return false;
		r->cpu[r->ncpus] = (uint16_t)cpu;
		r->slot[r->ncpus++] = (uint16_t)slot;
	}
	return true;
}

static enum status
ask(struct hostd_link *l, const struct hostd_request *r, struct fault *why)
{
	enum status	st;

	if (l->fd < 0)
		return fault_set(why, ST_UNAVAILABLE, "not connected to assay-hostd");
	if (send(l->fd, r, sizeof *r, MSG_NOSIGNAL) != (ssize_t)sizeof *r)
		return fault_set(why, ST_UNAVAILABLE, "assay-hostd is gone: %s", strerror(errno));
	if ((st = receive(l, why)) != ST_OK)
		return st;
	if (l->reply.status != ST_OK)
		return fault_set(why, l->reply.status < ST_N ? (enum status)l->reply.status :
		    ST_UNAVAILABLE, "assay-hostd: %s", l->reply.text);
	return ST_OK;
}

enum status
hostd_link_ask(struct hostd_link *l, enum hostd_op op, const cpu_set_t *slot, unsigned nslots,
    struct fault *why)
{
	struct hostd_request	r = { .magic = HOSTD_MAGIC, .op = op };

	for (unsigned i = 0; i < nslots; i++)
		if (!put_slot(&r, i, &slot[i]))
			return fault_set(why, ST_UNAVAILABLE, "assay-hostd takes %d CPUs at most",
			    HOSTD_MAX_CPUS);
	return ask(l, &r, why);
}

enum status
hostd_link_set_frequency(struct hostd_link *l, unsigned slot, unsigned khz, struct fault *why)
{
	const struct timeval		soon = { .tv_sec = SOON_S };
	const struct hostd_request	r = { .magic = HOSTD_MAGIC, .op = HOSTD_FREQUENCY,
					    .of_slot = slot, .khz = khz };
	enum status			st;

	(void)setsockopt(l->fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
	if ((st = ask(l, &r, why)) == ST_UNAVAILABLE)
		hostd_link_release(l);
	return st;
}

void
hostd_link_release(struct hostd_link *l)
{
	close_slots(l);
	if (l->fd >= 0)
		(void)close(l->fd);
	l->fd = -1;
}
