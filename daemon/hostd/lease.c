/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/host/frequency.h"
#include "daemon/hostd/lease.h"
#include "proto/base/log.h"
#include "proto/wire/hostd_msg.h"

_Static_assert((int)HOSTD_NCOUNTS == (int)KNOB_NSTATUS, "one count for each status of a knob");
_Static_assert((int)HOSTD_MAX_SLOTS == (int)SITE_MAX_SLOTS &&
    (int)HOSTD_MAX_CPUS == (int)SITE_MAX_CPUS,
    "a request has room for as many slots and CPUs as there may be");

struct lease {
	const struct lease_config	*config;	/* borrowed */
	int				 client;	/* -1: none */
	bool				 applied;
	struct site			 site;
	struct tune			 tune;
};

/* ---- one log line for each change of the host ---- */

static void
log_knob(void *arg, const struct knob *k)
{
	(void)arg;
	log_info("knob=%s path=%s status=%s found=\"%s\" wanted=\"%s\"", knob_name(k), k->path,
	    knob_status_word(k->status), k->found, k->wanted);
}

static void
log_undo(void *arg, const struct journal_entry *e, enum undo_verdict v, const char *found)
{
	(void)arg;
	if (v == UNDO_FAILED)
		log_error("knob=%s path=%s status=failed found=\"%s\" wanted=\"%s\"", e->name,
		    e->path, found, e->old);
	else
		log_info("knob=%s path=%s status=%s", e->name, e->path, undo_verdict_word(v));
}

static enum status
give_back(struct lease *l, struct fault *why)
{
	enum status	st;

	if (!l->applied)
		return ST_OK;
	l->applied = false;
	st = tune_restore(&l->tune, &l->config->fs, l->config->order.run_dir, log_undo, NULL, why);
	log_info("host=restored status=%s", status_word(st));
	return st;
}

static enum status
read_slots(const struct hostd_request *r, cpu_set_t slot[HOSTD_MAX_SLOTS], unsigned *n,
    struct fault *why)
{
	*n = 0;
	if (r->ncpus == 0 || r->ncpus > HOSTD_MAX_CPUS)
		return fault_set(why, ST_BAD_REQUEST, "from 1 to %d timing CPUs", HOSTD_MAX_CPUS);
	for (unsigned i = 0; i < r->ncpus; i++) {
		if (r->slot[i] >= HOSTD_MAX_SLOTS || r->slot[i] > *n || r->cpu[i] >= CPU_SETSIZE)
			return fault_set(why, ST_BAD_REQUEST,
			    "CPU %d in slot %d does not exist", r->cpu[i], r->slot[i]);
		if (r->slot[i] == *n)
			CPU_ZERO(&slot[(*n)++]);
		CPU_SET(r->cpu[i], &slot[r->slot[i]]);
	}
	return ST_OK;
}

static enum status
take(struct lease *l, const struct hostd_request *r, struct fault *why)
{
	cpu_set_t	slot[HOSTD_MAX_SLOTS];
	unsigned	n;
	enum status	st;

	if (l->applied)
		return fault_set(why, ST_CONFLICT, "the host is taken already, on this connection");
	if ((st = read_slots(r, slot, &n, why)) != ST_OK ||
	    (st = site_open(&l->site, &l->config->fs, slot, n, why)) != ST_OK ||
	    (st = tune_apply(&l->tune, &l->site, &l->config->order, log_knob, NULL, why)) != ST_OK)
		return st;
	l->applied = true;
	log_info("host=taken partition=\"%s\"", l->tune.partition.words);
	return ST_OK;
}

/* A slot has one frequency at a time: what the host had before is put back first. */
static enum status
set_frequency(struct lease *l, const struct hostd_request *r, struct fault *why)
{
	const char	*run_dir = l->config->order.run_dir;
	enum status	 st;

	if (!l->applied || r->of_slot >= l->site.nslots)
		return fault_set(why, ST_BAD_REQUEST, "slot %u is not taken", r->of_slot);
	if (!l->config->order.tune && r->khz != 0)
		return fault_set(why, ST_BAD_SPEC, "a clock is set only with tune = yes");
	st = frequency_restore(&l->site.fs, r->of_slot, run_dir, NULL, NULL, why);
	if (st == ST_OK && r->khz != 0)
		st = frequency_set(&l->site, r->of_slot, r->khz, run_dir, why);
	return st;
}

/* ---- packets ---- */

static void
send_reply(int fd, const struct hostd_reply *r, const int *fds)
{
	union {
		struct cmsghdr	align;
		char		bytes[CMSG_SPACE(sizeof(int) * HOSTD_MAX_SLOTS)];
	} control = { .bytes = { 0 } };
	struct iovec	 iov = { (void *)(uintptr_t)r, sizeof *r };
	struct msghdr	 msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr	*c;

	if (r->nslots != 0) {
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(r->nslots * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(r->nslots * sizeof(int));
		memcpy(CMSG_DATA(c), fds, r->nslots * sizeof(int));
	}
	if (sendmsg(fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		log_warn("client: %s", strerror(errno));	/* its end follows */
}

static void
fill_reply(const struct lease *l, struct hostd_reply *r, enum status st, const struct fault *why)
{
	r->magic = HOSTD_MAGIC;
	r->status = st;
	if (st != ST_OK)
		(void)snprintf(r->text, sizeof r->text, "%.300s", why->text);
	if (l->applied)
		memcpy(r->count, l->tune.count, sizeof r->count);
	partition_words(&l->config->fs, r->partition, sizeof r->partition);
}

/* All slots or none: a client with some of them would not know which. */
static unsigned
open_slots(const struct lease *l, int fds[HOSTD_MAX_SLOTS])
{
	unsigned	n = 0;

	if (!l->applied || l->tune.partition.status != KNOB_SET)
		return 0;
	for (; n < l->site.nslots; n++)
		if ((fds[n] = partition_open_slot(&l->site, n)) < 0)
			break;
	if (n == l->site.nslots)
		return n;
	while (n-- > 0)
		(void)close(fds[n]);
	return 0;
}

static void
answer(struct lease *l, const struct hostd_request *r)
{
	struct hostd_reply	reply = { .op = r->op };
	struct fault		why = { 0 };
	int			fds[HOSTD_MAX_SLOTS];
	enum status		st = ST_OK;

	if (r->op == HOSTD_APPLY)
		st = take(l, r, &why);
	else if (r->op == HOSTD_RESTORE)
		st = give_back(l, &why);
	else if (r->op == HOSTD_FREQUENCY)
		st = set_frequency(l, r, &why);
	fill_reply(l, &reply, st, &why);
	if (st == ST_OK && r->op == HOSTD_APPLY)
		reply.nslots = open_slots(l, fds);
	send_reply(l->client, &reply, fds);
	for (unsigned i = 0; i < reply.nslots; i++)
		(void)close(fds[i]);
}

static void
client_is_gone(struct lease *l)
{
	struct fault	why;

	(void)close(l->client);
	l->client = -1;
	if (give_back(l, &why) != ST_OK)
		log_error("host: %s", why.text);
}

static void
read_request(struct lease *l)
{
	struct hostd_request	r;
	ssize_t			n = recv(l->client, &r, sizeof r, MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n == (ssize_t)sizeof r && r.magic == HOSTD_MAGIC && r.op >= HOSTD_APPLY &&
	    r.op <= HOSTD_FREQUENCY) {
		answer(l, &r);
		return;
	}
	if (n > 0)
		log_error("client sent a malformed packet of %zd bytes, closed", n);
	client_is_gone(l);
}

static void
accept_client(struct lease *l, int listen_fd)
{
	struct hostd_reply	busy = { .magic = HOSTD_MAGIC, .op = HOSTD_APPLY,
				    .status = ST_CONFLICT };
	struct ucred		peer = { 0 };
	socklen_t		bytes = sizeof peer;
	int			fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return;
	(void)getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
	if (l->client < 0) {
		log_info("client pid=%d uid=%d", (int)peer.pid, (int)peer.uid);
		l->client = fd;
		return;
	}
	log_warn("client pid=%d uid=%d refused: another has the host", (int)peer.pid,
	    (int)peer.uid);
	(void)snprintf(busy.text, sizeof busy.text, "another client has the host");
	send_reply(fd, &busy, NULL);
	(void)close(fd);
}

/* ---- the loop ---- */

sigset_t
lease_hold_signals(void)
{
	sigset_t	set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	return set;
}

static int
catch_signals(void)
{
	const sigset_t	set = lease_hold_signals();

	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* false: a signal asks to stop, or there is no client left to serve. */
static bool
serve_once(struct lease *l, int listen_fd, int signal_fd)
{
	struct pollfd	fds[3] = { { .fd = listen_fd, .events = POLLIN },
		{ .fd = signal_fd, .events = POLLIN }, { .fd = l->client, .events = POLLIN } };

	if (poll(fds, 3, -1) < 0)
		return errno == EINTR;
	if (fds[1].revents != 0)
		return false;
	if (fds[2].revents != 0) {
		read_request(l);
		if (l->client < 0 && l->config->leave_when_idle)
			return false;
	}
	if (fds[0].revents != 0)
		accept_client(l, listen_fd);
	return true;
}

enum status
lease_serve(const struct lease_config *c, int listen_fd, struct fault *why)
{
	struct lease	l = { .config = c, .client = -1 };
	int		signal_fd = catch_signals();

	tune_init(&l.tune);
	if (signal_fd < 0)
		return fault_set(why, ST_IO, "signalfd: %s", strerror(errno));
	while (serve_once(&l, listen_fd, signal_fd))
		continue;
	(void)close(signal_fd);
	if (l.client >= 0)
		(void)close(l.client);
	return give_back(&l, why);
}
