/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_CONFIG_H
#define ASSAY_DAEMON_SETUP_CONFIG_H

#include <sched.h>
#include <stdint.h>

#include "daemon/setup/topology.h"
#include "proto/base/fault.h"
#include "proto/base/log.h"

/* Settings of the daemon, from flags and file.  Strings are owned. */
struct config {
	char		*state_dir;		/* database, cache, scratch */
	char		*socket_path;		/* JSON-RPC */
	char		*http_socket_path;	/* "" none */
	char		*http_tcp;		/* "127.0.0.1:8023" or "[::1]:0"; "" none */
	char		*tls;			/* HTTP in TLS, any address; "" none */
	char		*tls_certificate, *tls_key;	/* files; "" none */
	char		*tls_client_ca;		/* of users' certificates; "" none are asked for */
	char		*read_only;		/* plain HTTP for readers, any address; "" none */
	char		*users_path;		/* users.conf; "" none */
	char		*worker_path;		/* assay-worker, with jail and runner beside it */
	char		*images_dir;		/* of checkpoint images; "" none */
	char		*libraries;		/* proto/text/library_list.h; "" none */
	char		*chart_js;		/* for pages; "" none */
	char		*sysfs_root;		/* "" the real one */
	char		*hostd_path;	/* assay-hostd's socket; "" leave the host as it is */
	struct slot_list slots;
	bool		 share_cpus;	/* time on CPUs that other daemons time on */
	bool		 answers_only;	/* no job is begun, no CPU claimed */
	unsigned	 builders;		/* 0: one per housekeeping CPU */
	uint64_t	 cache_limit_bytes;
	uint64_t	 queue_limit;		/* live jobs */
	/* for sending a request, and for taking some of an answer */
	unsigned	 client_timeout_s;
	/* of a user but operators; 0: none */
	unsigned	 quota_connections;
	uint64_t	 quota_jobs, quota_bytes, quota_timing_s;
	unsigned	 jail_profiles;		/* bit n: enum jail_profile n may be asked for */
	bool		 reuse_results;		/* a job that was timed before gets that result */
	uint64_t	 keep_s;	/* results older than this are removed; 0: none */
	/* at the end of a sweep: a program; the secret that signs webhooks; what these may reach */
	/* "" none */
	char		*notify_command, *notify_secret_file, *notify_allow, *notify_ca;
	bool		 insecure_no_jail;	/* run submitted code even without a jail */
	/* between two timings of the yardstick; 0: only on request */
	unsigned	 yardstick_minutes;
	/* that a cold job waits for the first calibration; 0: calibrations only on request */
	unsigned	 calibration_wait_s;
	unsigned	 socket_mode;		/* 0600 private, 0660 shared */
	int		 ready_fd;	/* written and closed once everything listens; -1: none */
	int		 exit_with_fd;	/* the daemon stops at EOF of this descriptor; -1: none */
	unsigned	 drain_s;	/* that a timing under way may take after SIGTERM */
	enum log_level	 log_level;
};

/* ST_BAD_REQUEST: bad usage. */
enum status	 config_load(struct config *, int argc, char **argv, struct fault *);
void		 config_release(struct config *);

#endif
