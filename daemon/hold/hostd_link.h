/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOLD_HOSTD_LINK_H
#define ASSAY_DAEMON_HOLD_HOSTD_LINK_H

#include <sched.h>

#include "proto/base/fault.h"
#include "proto/wire/hostd_msg.h"

/* assayd's end of the connection to assay-hostd.  Closing it gives the host back. */
struct hostd_link {
	int			 fd;		/* -1: not connected */
	struct hostd_reply	 reply;		/* the last */
	unsigned		 nslots;
	/* owned; "0" moves its writer into the slot */
	int			 slot_fd[HOSTD_MAX_SLOTS];
};

void		 hostd_link_init(struct hostd_link *);
/* ST_UNAVAILABLE. */
enum status	 hostd_link_open(struct hostd_link *, const char *socket_path, struct fault *);

/* Waits for the answer.  If assay-hostd refused, fails with the reply's status and text. */
enum status	 hostd_link_ask(struct hostd_link *, enum hostd_op, const cpu_set_t *slot,
		    unsigned nslots, struct fault *);
/* The same, of HOSTD_FREQUENCY; without an answer soon the host is given back. */
enum status	 hostd_link_set_frequency(struct hostd_link *, unsigned slot, unsigned khz,
		    struct fault *);
void		 hostd_link_release(struct hostd_link *);

#endif
