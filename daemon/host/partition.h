/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_PARTITION_H
#define ASSAY_DAEMON_HOST_PARTITION_H

#include <sys/types.h>

#include "daemon/host/journal.h"
#include "daemon/host/knob.h"
#include "daemon/host/site.h"

/*
 * The timing CPUs, taken out of everybody else's reach by a cgroup v2 cpuset partition.
 *
 *	/sys/fs/cgroup/assay		the slots' whole cores; a partition root
 *	/sys/fs/cgroup/assay/slotN	the slot whose first CPU is N, with its CPUs; sibling threads stay idle because
 *					nobody is allowed there
 *
 * It is a child of the root cgroup because Linux before 6.7 accepts a partition nowhere else.  A
 * partition survives the process that made it; the journal knows of it.
 */
enum partition_kind {
	PARTITION_NONE,
	PARTITION_ISOLATED,		/* no load balancing: what runs there is bound, each thread
					 * to a CPU */
	PARTITION_ROOT,			/* balanced among its CPUs */
};

#define PARTITION_DIR	"/sys/fs/cgroup/assay"

struct partition_order {
	enum partition_kind	 kind;
	uid_t			 owner;		/* may set a slot's memory and pids limits and kill
						 * what is in it */
	gid_t			 group;
};

/* How it went, as of a knob; words is what the kernel says the partition is. */
struct partition_outcome {
	enum knob_status	 status;
	char			 words[256];
};

const char	*partition_kind_word(enum partition_kind);	/* "none", "isolated", "root": the
								 * kernel's words */

/*
 * Fails only when the journal does.  Where the partition is not valid, everything that was made for
 * it is gone again.
 */
enum status	 partition_make(const struct site *, const struct partition_order *,
		    struct journal *, struct partition_outcome *, struct fault *);

/*
 * What the kernel says now: "isolated", "root", "isolated invalid (why)", …; "none" when there is
 * none of ours.
 */
void		 partition_words(const struct hostfs *, char *buf, size_t bytes);
bool		 partition_is_broken(const char *words);	/* there is one, and it does not do
								 * its work */

/*
 * Of slot N: open for writing, so that its holder can move processes there without rights of its
 * own; -1: none.
 */
int		 partition_open_slot(const struct site *, unsigned slot);

#endif
