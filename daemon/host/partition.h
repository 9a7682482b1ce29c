/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_PARTITION_H
#define ASSAY_DAEMON_HOST_PARTITION_H

#include <sys/types.h>

#include "daemon/host/journal.h"
#include "daemon/host/knob.h"
#include "daemon/host/site.h"

/*
 * A cgroup v2 cpuset partition keeps all other programs off the timing CPUs.
 *
 *	/sys/fs/cgroup/assay		the slots' whole cores; a partition root.
 *	/sys/fs/cgroup/assay/slotN	the CPUs of the slot with first CPU N.
 *
 * Sibling threads of the timing CPUs are in no slot, and so stay idle.  The partition is a child of
 * the root cgroup: Linux before 6.7 accepts one nowhere else.  It outlives the process that made
 * it, and is in the journal.
 */
enum partition_kind {
	PARTITION_NONE,
	PARTITION_ISOLATED,		/* no load balancing: each thread there is bound to a CPU */
	PARTITION_ROOT,			/* load is balanced among its CPUs */
};

#define PARTITION_DIR	"/sys/fs/cgroup/assay"

struct partition_order {
	enum partition_kind	 kind;
	/* may set a slot's memory and pids limits, and kill its processes */
	uid_t			 owner;
	gid_t			 group;
};

/* Its status, as of a knob; words: the kernel's description of the partition. */
struct partition_outcome {
	enum knob_status	 status;
	char			 words[256];
};

/* "none", "isolated", "root", as in the kernel */
const char	*partition_kind_word(enum partition_kind);

/*
 * Fails only if the journal does.  If the partition is not valid, all that was made for it is
 * removed again.
 */
enum status	 partition_make(const struct site *, const struct partition_order *,
		    struct journal *, struct partition_outcome *, struct fault *);

/*
 * The kernel's words now: "isolated", "root", "isolated invalid (why)", …; "none": no partition of
 * Assay.
 */
void		 partition_words(const struct hostfs *, char *buf, size_t bytes);
bool		 partition_is_broken(const char *words);	/* it exists and is not valid */

/*
 * Slot N's cgroup.procs, open for writing: its holder can move processes there without privileges;
 * -1: none.
 */
int		 partition_open_slot(const struct site *, unsigned slot);

#endif
