/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdlib.h>

#include "daemon/event_drop.h"
#include "daemon/signals.h"

struct signals {
	const struct signal_hooks *hooks;	/* borrowed */
	void		*arg;
	struct event	*term, *interrupt, *hangup;	/* owned, as is the next */
	struct event	*rest;			/* between two reloads */
	bool		 drains, reload_again;
};

/* Caught, not ignored: exec restores the default. */
static void
on_nothing(int number)
{
	(void)number;
}

void
signals_prepare(void)
{
	static const int	harmless[] = { SIGPIPE, SIGHUP, SIGUSR1, SIGUSR2 };
	struct sigaction	sa = { .sa_handler = on_nothing, .sa_flags = SA_RESTART };

	(void)sigemptyset(&sa.sa_mask);
	for (unsigned i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
		(void)sigaction(harmless[i], &sa, NULL);
}

static void
on_end(evutil_socket_t number, short what, void *arg)
{
	struct signals	*s = arg;

	(void)what;
	if (number == SIGTERM && !s->drains) {
		s->drains = true;
		s->hooks->drain(s->arg);
	} else {
		s->hooks->stop(s->arg, number == SIGTERM ? "a second SIGTERM" : "SIGINT");
	}
}

static void
reload(struct signals *s)
{
	static const struct timeval	rest = { 1, 0 };

	s->reload_again = false;
	(void)evtimer_add(s->rest, &rest);
	s->hooks->reload(s->arg);
}

static void
on_hangup(evutil_socket_t number, short what, void *arg)
{
	struct signals	*s = arg;

	(void)number;
	(void)what;
	if (evtimer_pending(s->rest, NULL))
		s->reload_again = true;
	else
		reload(s);
}

static void
on_rested(evutil_socket_t fd, short what, void *arg)
{
	struct signals	*s = arg;

	(void)fd;
	(void)what;
	if (s->reload_again)
		reload(s);
}

enum status
signals_new(struct signals **out, struct event_base *base, const struct signal_hooks *hooks,
    void *arg, struct fault *why)
{
	struct signals	*s = *out = calloc(1, sizeof *s);

	if (s == NULL)
		return fault_set(why, ST_NOMEM, "signals");
	s->hooks = hooks;
	s->arg = arg;
	s->term = evsignal_new(base, SIGTERM, on_end, s);
	s->interrupt = evsignal_new(base, SIGINT, on_end, s);
	s->hangup = evsignal_new(base, SIGHUP, on_hangup, s);
	s->rest = evtimer_new(base, on_rested, s);
	if (s->term != NULL && s->interrupt != NULL && s->hangup != NULL && s->rest != NULL &&
	    event_add(s->term, NULL) == 0 && event_add(s->interrupt, NULL) == 0 &&
	    event_add(s->hangup, NULL) == 0)
		return ST_OK;
	signals_free(s);
	*out = NULL;
	return fault_set(why, ST_NOMEM, "signals");
}

void
signals_free(struct signals *s)
{
	if (s == NULL)
		return;
	event_drop(s->term);
	event_drop(s->interrupt);
	event_drop(s->hangup);
	event_drop(s->rest);
	free(s);
}
