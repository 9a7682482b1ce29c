/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "daemon/hold/hold.h"
#include "daemon/hold/hostd_link.h"
#include "proto/base/clock.h"

enum { PROBE_MS = 50 };
#define LOOK_AGAIN_S	0.5		/* a look reads a few dozen files: 0.5 ms */

struct hold {
	struct hostd_link	 link;
	struct fitness		*fitness;		/* owned; NULL: the host cannot be read */
	const struct topology	*topology;		/* borrowed */
	double			 looked;
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

bool
hold_may_time(struct hold *h)
{
	struct fault	why;
	double		now = (double)clock_now_ns() / 1e9;
	bool		may;

	if (h == NULL || h->fitness == NULL)
		return true;
	if (now - h->looked < LOOK_AGAIN_S)
		return h->may_time;
	h->looked = now;
	notice_its_end(h);
	may = fitness_look(h->fitness, &why) == ST_OK;
	if (!may && h->may_time)
		log_error("host: nothing is timed until this is put right: %s", why.text);
	if (may && !h->may_time)
		log_info("host: timing goes on");
	h->may_time = may;
	return may;
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

	return r != NULL ? r : json_null();
}
