/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOSTD_HOSTD_CONFIG_H
#define ASSAY_DAEMON_HOSTD_HOSTD_CONFIG_H

#include <sys/types.h>

#include "daemon/host/partition.h"

/* Settings of assay-hostd, from flags and file. */
enum hostd_mode { HOSTD_REPORTS, HOSTD_APPLIES, HOSTD_RESTORES, HOSTD_SERVES };

struct hostd_config {
	enum hostd_mode		 mode;
	char			 sysfs_root[HOSTFS_PATH_BYTES];	/* "" the real host */
	char			 run_dir[HOSTFS_PATH_BYTES];	/* lock and journal */
	char			 socket_path[108];
	unsigned		 nslots;			/* 0: one slot on the last core */
	cpu_set_t		 slot[SITE_MAX_SLOTS];
	bool			 tune;	/* also settings of the whole host */
	enum partition_kind	 partition;
	uid_t			 owner;	/* assayd's user: owns the socket and the slots' limits */
	gid_t			 group;
	unsigned		 probe_ms;
};

/* ST_BAD_REQUEST: usage.  --help and --version print and exit. */
enum status	 hostd_config_load(struct hostd_config *, int argc, char **argv, struct fault *);

#endif
