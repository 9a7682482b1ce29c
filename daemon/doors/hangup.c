/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "daemon/doors/hangup.h"
#include "daemon/doors/peer.h"

/*
 * An epoll instance of its own, edge-triggered: libevent's loop would turn round and round while
 * an end of sending is not read.
 */
enum { AT_A_TIME = 64, LOOK_AGAIN_S = 1 };

struct hangups {
	int			 fd;		/* owned; -1: none */
	struct event		*news;		/* owned, as is the next */
	struct event		*again;
	TAILQ_HEAD(, hangup)	 in_doubt;
};

static void
doubt(struct hangup *h)
{
	static const struct timeval	period = { LOOK_AGAIN_S, 0 };

	if (h->is_in_doubt)
		return;
	h->is_in_doubt = true;
	TAILQ_INSERT_TAIL(&h->all->in_doubt, h, entry);
	if (!evtimer_pending(h->all->again, NULL))
		(void)evtimer_add(h->all->again, &period);
}

static void
look(struct hangup *h)
{
	if (!h->ends_both && !peer_has_left(h->fd, h->is_known)) {
		doubt(h);
		return;
	}
	hangup_rest(h);
	h->on_left(h->arg);
}

static void
on_news(evutil_socket_t fd, short what, void *arg)
{
	struct epoll_event	 e;
	struct hangup		*h;

	(void)what;
	(void)arg;
	for (unsigned i = 0; i < AT_A_TIME && epoll_wait(fd, &e, 1, 0) == 1; i++) {
		h = e.data.ptr;
		if (h->is_watched)
			look(h);
	}
}

/* A socket that is closed is still its process's for a moment, and its end alone is no news. */
static void
on_again(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval	 period = { LOOK_AGAIN_S, 0 };
	struct hangups			*all = arg;
	struct hangup			*h, *next;

	(void)fd;
	(void)what;
	for (h = TAILQ_FIRST(&all->in_doubt); h != NULL; h = next) {
		next = TAILQ_NEXT(h, entry);
		look(h);
	}
	if (!TAILQ_EMPTY(&all->in_doubt))
		(void)evtimer_add(all->again, &period);
}

void
hangup_watch(struct hangup *h)
{
	struct epoll_event	e = { .events = EPOLLRDHUP | EPOLLET, .data.ptr = h };

	h->is_watched = true;
	if (epoll_ctl(h->all->fd, h->is_added ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, h->fd, &e) == 0)
		h->is_added = true;
}

void
hangup_rest(struct hangup *h)
{
	h->is_watched = false;
	if (h->is_in_doubt)
		TAILQ_REMOVE(&h->all->in_doubt, h, entry);
	h->is_in_doubt = false;
}

void
hangup_end(struct hangup *h)
{
	hangup_rest(h);
	if (h->is_added)
		(void)epoll_ctl(h->all->fd, EPOLL_CTL_DEL, h->fd, NULL);
	h->is_added = false;
}

enum status
hangups_new(struct hangups **out, struct event_base *base, struct fault *why)
{
	struct hangups	*all = *out = calloc(1, sizeof *all);

	if (all == NULL)
		return fault_set(why, ST_NOMEM, "http");
	TAILQ_INIT(&all->in_doubt);
	if ((all->fd = epoll_create1(EPOLL_CLOEXEC)) >= 0 &&
	    (all->again = evtimer_new(base, on_again, all)) != NULL &&
	    (all->news = event_new(base, all->fd, EV_READ | EV_PERSIST, on_news, all)) != NULL &&
	    event_add(all->news, NULL) == 0)
		return ST_OK;
	hangups_free(all);
	*out = NULL;
	return fault_set(why, ST_NOMEM, "http: %s", strerror(errno));
}

void
hangups_free(struct hangups *all)
{
	if (all == NULL)
		return;
	if (all->news != NULL)
		event_free(all->news);
	if (all->again != NULL)
		event_free(all->again);
	if (all->fd >= 0)
		(void)close(all->fd);
	free(all);
}
