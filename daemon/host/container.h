/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_CONTAINER_H
#define ASSAY_DAEMON_HOST_CONTAINER_H

#include <jansson.h>
#include <stdbool.h>

#include "daemon/host/hostfs.h"

/*
 * What this process lacks because it runs in a container, or under limits like a container's:
 * timing and jails work there, but with less.
 */
enum { CONTAINER_CPUS_BYTES = 256 };

struct container {
	/* "docker", "podman", "kubernetes", "lxc", …, in letters, digits and dashes; "": nothing
	 * shows one */
	char		 kind[32];
	bool		 user_namespaces;	/* can be made: jails have their walls */
	bool		 filtered;		/* by seccomp */
	bool		 realtime;		/* a process may have SCHED_FIFO */
	bool		 locks_memory;		/* without a limit that matters */
	bool		 cgroup_writable, sys_writable;
	double		 quota_cpus;		/* CPU time for each second; 0: no limit */
	char		 quota_of[256];		/* directory of the cgroup with this quota */
	long long	 quota_stops;		/* periods in which a quota was used up */
	/* of its cpuset, as the kernel lists them; "": unknown */
	char		 cpus[CONTAINER_CPUS_BYTES];
	bool		 all_cpus;		/* the cpuset has every CPU that is online */
};

/* What no file says: each is tried in a process of its own. */
struct container_tries {
	bool	(*user_namespace)(void);
	bool	(*realtime)(void);
	bool	(*lock_memory)(void);
};
extern const struct container_tries	container_real_tries;

void	 container_look(struct container *, const struct hostfs *, const struct container_tries *);

/*
 * Of jails and settings; of times, which others then disturb; or all of it is stopped now and then.
 */
enum container_loss { LOSS_OF_CONTROL, LOSS_OF_QUIET, LOSS_OF_TIME };

/*
 * Each thing that is lost, as a sentence with its remedy.  Without a container only limits that
 * also exist elsewhere: a quota.
 */
typedef void	 container_fn(void *arg, enum container_loss, const char *sentence);
void		 container_each_loss(const struct container *, container_fn *, void *arg);

/* { kind, lost }; null: neither a container nor a loss.  New reference. */
json_t	*container_json(const struct container *);

#endif
