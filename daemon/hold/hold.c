/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "daemon/hold/hold.h"
#include "daemon/host/frequency.h"
#include "daemon/hold/hostd_link.h"
#include "proto/base/clock.h"

enum { PROBE_MS = 50 };
#define LOOK_AGAIN_S	2.0		/* a look reads up to 150 files: 0.5 ms and more */
#define UNWATCHED_S	0.5		/* where writes to them are not reported */
#define GLANCE_AGAIN_S	0.02		/* a glance reads three: 10 us */

struct hold {
	struct hostd_link	 link;
	struct fitness		*fitness;		/* owned; NULL: the host cannot be read */
	const struct topology	*topology;		/* borrowed */
	struct hostfs		 fs;
	double			 looked, glanced;
	bool			 may_time;
};

static void
take_host(struct hold *h, const char *socket_path)
{
	struct fault	why;

	if (hostd_link_open(&h->link, socket_path, &why) != ST_OK ||
	    hostd_link_ask(&h->link, HOSTD_APPLY, h->topology->slot, h->topology->nslots,
	    &why) != ST_OK) {
		log_warn("host: left as it is: %s", why.text);
		hostd_link_release(&h->link);
		return;
	}
	log_info("host: taken, partition=\"%s\" slots=%u", h->link.reply.partition, h->link.nslots);
}

enum status
hold_open(struct hold **out, const struct config *c, const struct topology *t, struct fault *why)
{
	struct hold			*h = calloc(1, sizeof *h);
	struct fault			 unread;
	struct fitness_config		 config = { c->sysfs_root, HOSTD_RUN_DIR, t->slot,
					    t->nslots, NULL, PROBE_MS, NULL };

	*out = NULL;
	if (h == NULL)
		return fault_set(why, ST_NOMEM, "host");
	hostd_link_init(&h->link);
	h->topology = t;
	(void)hostfs_init(&h->fs, c->sysfs_root);
	h->may_time = true;
	if (c->hostd_path[0] != '\0')
		take_host(h, c->hostd_path);
	if (h->link.nslots == t->nslots)
		config.slot_fd = h->link.slot_fd;
	if (fitness_new(&h->fitness, &config, &unread) != ST_OK)
		log_warn("host: its fitness is unknown: %s", unread.text);
	*out = h;
	return ST_OK;
}

void
hold_free(struct hold *h)
{
	if (h == NULL)
		return;
	fitness_free(h->fitness);
	hostd_link_release(&h->link);
	free(h);
}

int
hold_slot_fd(const struct hold *h, int cpu)
{
	if (h == NULL)
		return -1;
	for (unsigned i = 0; i < h->link.nslots && i < h->topology->nslots; i++)
		if (h->topology->slot_cpu[i] == cpu)
			return h->link.slot_fd[i];
	return -1;
}

static enum status
no_hostd(struct fault *why)
{
	(void)fault_set(why, ST_BAD_SPEC, "the clock is set by assay-hostd, which does not hold "
	    "this host");
	fault_hint(why, "run it, and assayd with --hostd; or leave the frequency out");
	return ST_BAD_SPEC;
}

enum status
hold_set_frequency(struct hold *h, int cpu, unsigned khz, struct fault *why)
{
	unsigned	slot = 0;
	enum status	st = ST_OK;

	if (h == NULL)
		return no_hostd(why);
	while (slot < h->topology->nslots && h->topology->slot_cpu[slot] != cpu)
		slot++;
	if (slot == h->topology->nslots)
		return fault_set(why, ST_BAD_SPEC, "CPU %d is in no slot", cpu);
	if (khz != 0)
		st = frequency_check(&h->fs, &h->topology->slot[slot], khz, why);
	if (st == ST_OK && h->link.fd < 0)
		st = no_hostd(why);
	if (st == ST_OK)
		st = hostd_link_set_frequency(&h->link, slot, khz, why);
	h->glanced = 0;				/* a knob has changed */
	return st;
}

/* assay-hostd sends only replies, so a readable descriptor is at its end. */
static void
notice_its_end(struct hold *h)
{
	char	byte;

	if (h->link.fd < 0 ||
	    (recv(h->link.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN))
		return;
	log_error("host: assay-hostd is gone and the host is as it was before; restart assayd to "
	    "take it again");
	hostd_link_release(&h->link);
}

static void
look(struct hold *h, double now)
{
	struct fault	why;
	bool		may = fitness_look(h->fitness, &why) == ST_OK;

	h->looked = now;
	if (!may && h->may_time)
		log_error("host: nothing is timed until this is put right: %s", why.text);
	if (may && !h->may_time)
		log_info("host: timing goes on");
	h->may_time = may;
}

static void
glance(struct hold *h, double now)
{
	const double	again_s = fitness_is_watched(h->fitness) ? LOOK_AGAIN_S : UNWATCHED_S;

	h->glanced = now;
	notice_its_end(h);
	if (fitness_has_changed(h->fitness) || now - h->looked >= again_s)
		look(h, now);
}

bool
hold_may_time(struct hold *h)
{
	const double	now = clock_now_s();

	if (h == NULL || h->fitness == NULL)
		return true;
	if (now - h->glanced >= GLANCE_AGAIN_S)
		glance(h, now);
	return h->may_time;
}

void
hold_see_window(struct hold *h)
{
	if (h != NULL && h->fitness != NULL)
		glance(h, clock_now_s());
}

const char *
hold_hash(const struct hold *h)
{
	return h != NULL && h->fitness != NULL ? fitness_hash(h->fitness) : NULL;
}

json_t *
hold_report(struct hold *h)
{
	json_t	*r = h != NULL && h->fitness != NULL ? fitness_report(h->fitness) : NULL;

	if (h != NULL)
		h->looked = h->glanced = 0;	/* a report looks too, and keeps what it saw */
	return r != NULL ? r : json_null();
}
