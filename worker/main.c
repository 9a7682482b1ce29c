/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-worker: builds or times, one job at a time, for the daemon at the other end of descriptor
 * 3.
 *
 * It greets, then replies to each order once.  A cancel stops the order being worked on; EOF stops
 * the worker and with it everything that it started.  A message that makes no sense ends it with an
 * error: the daemon starts another.  With --role stream it greets no one and takes no orders
 * (worker/stream.h).  It never runs submitted code in its own address space;
 * compilers and runners live in jails (worker/spawn/spawn.h).
 */
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/cpulist.h"
#include "worker/build/build.h"
#include "worker/spawn/containment.h"
#include "worker/spawn/spawn.h"
#include "worker/stream.h"
#include "worker/take/counter.h"
#include "worker/trial/supervise.h"
#include "worker/wire.h"

enum { DAEMON_FD = 3, CELL_FD = 4, PATH_BYTES = 4096, REALTIME_PRIORITY = 50 };

struct worker {
	bool			 builds, streams;	/* neither: it times */
	bool			 insecure_no_jail;
	int			 cpu, supervise_cpu;		/* -1: any */
	cpu_set_t		 all;		/* of the slot; see struct slot */
	uint64_t		 cache_limit_bytes;
	size_t			 l1_bytes, l2_bytes, l3_bytes, line_bytes;
	unsigned		 l1_ways;
	char			 cache_dir[PATH_BYTES], scratch_dir[PATH_BYTES],
	    images_dir[PATH_BYTES];
	const char		*libraries;	/* of argv; NULL: none */
	struct wire		 wire;
	struct builder		*builder;	/* owned; NULL when it times */
	struct supervisor	*supervisor;	/* owned; NULL when it builds */
};

static const char *
role(const struct worker *w)
{
	return w->builds ? "build" : "time";
}

static void
say(const struct worker *w, const char *level, const char *what, const char *words)
{
	(void)fprintf(stderr, "%s role=%s cpu=%d %s%s%s\n", level, role(w), w->cpu, what,
	    words[0] != '\0' ? ": " : "", words);
}

/* ---- orders ---- */

static enum status
build(struct worker *w, struct job *job, const struct msg *order, struct msg *reply)
{
	return builder_build_with(w->builder, job, order->companions, &reply->artifacts,
	    &reply->detail, &reply->report_text);
}

/*
 * Set the gate to what it knew before this worker; a document that makes no sense is as if there
 * were none.
 */
static void
take_quiet(struct worker *w, const json_t *doc)
{
	const struct node	root = { .value = doc };
	struct gate_state	known;

	if (doc != NULL &&
	    shape_get(&gate_state_shape, &known, &root, SHAPE_LENIENT, NULL) == ST_OK)
		supervisor_set_quiet(w->supervisor, &known);
}

/* Without a calibration all of it is 0. */
static void
take_calibrated(struct worker *w, const json_t *doc)
{
	const struct node	root = { .value = doc };
	struct calibrated	known = { 0 };

	if (doc != NULL &&
	    shape_get(&calibrated_shape, &known, &root, SHAPE_EXACT, NULL) != ST_OK)
		known = (struct calibrated){ 0 };
	supervisor_set_calibrated(w->supervisor, &known);
}

/*
 * An object that the cache let go since it was built is no fault of the job: the daemon has it
 * built again.
 */
static enum status
time_job(struct worker *w, const struct job *job, const struct msg *order, struct msg *reply)
{
	supervisor_set_submitter(w->supervisor, order->submitter);
	take_calibrated(w, order->calibrated);
	take_quiet(w, order->quiet);
	return supervisor_time(w->supervisor, job, &order->artifacts, &reply->detail,
	    &reply->report_text, &reply->kept);
}

/* Is there anything between submitted code and this user's files? */
static bool
may_run(const struct worker *w)
{
	const struct jail_support	*s = jail_support();

	return s->namespaces || s->seccomp || w->insecure_no_jail;
}

static enum status
refuse(struct msg *reply)
{
	reply->detail = strdup("this host has neither namespaces nor seccomp to hold "
	    "submitted code; start assayd with --insecure-no-jail to run it anyway");
	return ST_INTERNAL;
}

/* An order that was taken back before its turn is not begun. */
static enum status
work(struct worker *w, struct job *job, const struct msg *order, struct msg *reply)
{
	if (wire_says_stop(&w->wire))
		return ST_CANCELLED;
	if (!may_run(w))
		return refuse(reply);
	return w->builds ? build(w, job, order, reply) : time_job(w, job, order, reply);
}

/* Work on one order and reply. */
static enum status
obey(struct worker *w, const struct msg *order, struct fault *why)
{
	struct msg	reply = { .kind = w->builds ? MSG_BUILT : MSG_TIMED,
			    .job_id = order->job_id };
	struct job	job;
	char		words[sizeof *why];
	enum status	st;

	wire_set_busy(&w->wire, order->job_id);
	reply.status = job_decode(&job, order->job, why);
	if (reply.status != ST_OK) {
		reply.status = ST_BAD_SPEC;
		reply.detail = strdup(fault_line(why, words, sizeof words));
	} else {
		reply.status = work(w, &job, order, &reply);
		job_release(&job);
	}
	if (reply.report_text == NULL)
		reply.report_text = strdup("{}");
	st = w->wire.closed ? ST_UNAVAILABLE : wire_send(&w->wire, &reply, why);
	msg_release(&reply);
	wire_set_busy(&w->wire, 0);
	return st;
}

static enum status
take_order(struct worker *w, const struct msg *msg, struct fault *why)
{
	if (msg->kind == MSG_CANCEL)
		return ST_OK;		/* its order has its reply already */
	if (msg->kind == (w->builds ? MSG_BUILD : MSG_TIME))
		return obey(w, msg, why);
	return fault_set(why, ST_BAD_REQUEST, "this worker does not take such a message");
}

static enum status
serve(struct worker *w, struct fault *why)
{
	struct msg	msg;
	enum status	st = ST_OK;

	while (st == ST_OK && (st = wire_next(&w->wire, &msg, why)) == ST_OK) {
		st = take_order(w, &msg, why);
		msg_release(&msg);
	}
	return st;
}

/* ---- hello ---- */

static bool
see_self(const struct worker *w, struct hello *h)
{
	shape_clear(&hello_shape, h);
	h->role = role(w);
	h->pid = getpid();
	h->cpu = w->cpu;
	h->jail = containment_details();
	if (w->builds)
		return builder_compilers(w->builder, &h->compilers);
	h->has_clock = true;
	return counter_names(&h->counters) &&
	    supervisor_clocks(w->supervisor, &h->clock, &h->clocks);
}

static enum status
greet(struct worker *w, struct fault *why)
{
	struct msg	msg = { .kind = MSG_HELLO };
	struct hello	hello;
	enum status	st;

	if (see_self(w, &hello))
		msg.report_text = shape_put(&hello_shape, &hello, SHAPE_EXACT);
	shape_release(&hello_shape, &hello);
	st = msg.report_text != NULL ? wire_send(&w->wire, &msg, why) :
	    fault_set(why, ST_NOMEM, "greeting");
	msg_release(&msg);
	return st;
}

/* ---- life ---- */

static void
bind_self(const struct worker *w)
{
	const int	cpu = w->builds || w->streams ? w->cpu : w->supervise_cpu;
	cpu_set_t	set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) == -1)
		say(w, "warn", "cannot be bound to its cpu", "");
}

/*
 * A jail has a user namespace, from where no limit can be raised: what its runner may do it
 * inherits from here.
 */
static void
allow_realtime(const struct worker *w)
{
	const struct rlimit	limit = { REALTIME_PRIORITY, REALTIME_PRIORITY };

	if (!w->builds)
		/* refused to ordinary users: timings have "other" */
		(void)setrlimit(RLIMIT_RTPRIO, &limit);
}

static enum status
open_up(struct worker *w, struct fault *why)
{
	const struct builder_config	build_config = {
		.cache_dir = w->cache_dir, .scratch_dir = w->scratch_dir,
		.libraries = w->libraries, .cache_limit_bytes = w->cache_limit_bytes,
		.cpu = w->cpu, .stop = wire_says_stop, .stop_arg = &w->wire,
	};
	const struct slot		slot = {
		.cpu = w->cpu, .all = w->all, .l1_bytes = w->l1_bytes, .l2_bytes = w->l2_bytes,
		.l3_bytes = w->l3_bytes, .line_bytes = w->line_bytes, .l1_ways = w->l1_ways,
		.cache_dir = w->cache_dir, .scratch_dir = w->scratch_dir,
		.images_dir = w->images_dir, .stop = wire_says_stop,
		.stop_arg = &w->wire,
	};

	return w->builds ? builder_new(&w->builder, &build_config, why) :
	    supervisor_new(&w->supervisor, &slot, why);
}

static void
usage(void)
{
	(void)fputs("usage: assay-worker --role build|time|stream --state DIR [--cpu n] "
	    "[--cpus list]\n                    [--supervise-cpu n]\n"
	    "                    [--cache-limit bytes] [--l1 bytes] [--l2 bytes] [--l3 bytes] "
	    "[--line bytes]\n"
	    "                    [--l1-ways n] [--images DIR] [--libraries LIST]\n"
	    "                    [--insecure-no-jail] [--in-cell]\n"
	    "DIR must exist.  Started by assayd: descriptor 3 is its socket, "
	    "descriptor 4 leads into a cgroup.\n", stderr);
	exit(64);
}

static void
parse(struct worker *w, int argc, char **argv)
{
	enum { ROLE, STATE, CPU, CPUS, SUPERVISE, LIMIT, L1, L2, L3, LINE, L1_WAYS, IMAGES,
	    LIBRARIES, NO_JAIL, IN_CELL };
	static const struct option	options[] = {
		{ "role", required_argument, NULL, ROLE },
		{ "state", required_argument, NULL, STATE },
		{ "cpu", required_argument, NULL, CPU }, { "cpus", required_argument, NULL, CPUS },
		{ "supervise-cpu", required_argument, NULL, SUPERVISE },
		{ "cache-limit", required_argument, NULL, LIMIT },
		{ "l1", required_argument, NULL, L1 }, { "l2", required_argument, NULL, L2 },
		{ "l3", required_argument, NULL, L3 }, { "line", required_argument, NULL, LINE },
		{ "l1-ways", required_argument, NULL, L1_WAYS },
		{ "images", required_argument, NULL, IMAGES },
		{ "libraries", required_argument, NULL, LIBRARIES },
		{ "in-cell", no_argument, NULL, IN_CELL },
		{ "insecure-no-jail", no_argument, NULL, NO_JAIL }, { NULL, 0, NULL, 0 },
	};
	const char			*what = "";
	char				*state = NULL;
	int				 opt;

	*w = (struct worker){ .cpu = -1, .supervise_cpu = -1,
	    .cache_limit_bytes = (uint64_t)1 << 30, .line_bytes = 64 };
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case ROLE: what = optarg; break;
		case STATE: state = realpath(optarg, NULL); break;
		case CPU: w->cpu = atoi(optarg); break;
		case CPUS:
			if (!cpulist_parse(optarg, &w->all))
				usage();
			break;
		case SUPERVISE: w->supervise_cpu = atoi(optarg); break;
		case LIMIT: w->cache_limit_bytes = strtoull(optarg, NULL, 10); break;
		case L1: w->l1_bytes = strtoull(optarg, NULL, 10); break;
		case L2: w->l2_bytes = strtoull(optarg, NULL, 10); break;
		case L3: w->l3_bytes = strtoull(optarg, NULL, 10); break;
		case LINE: w->line_bytes = strtoull(optarg, NULL, 10); break;
		case L1_WAYS: w->l1_ways = (unsigned)strtoul(optarg, NULL, 10); break;
		case IMAGES: (void)snprintf(w->images_dir, sizeof w->images_dir, "%s", optarg);
		    break;
		case LIBRARIES: w->libraries = optarg; break;
		case IN_CELL: jail_enter_cell(CELL_FD); break;
		case NO_JAIL: w->insecure_no_jail = true; break;
		default: usage();
		}
	}
	w->builds = strcmp(what, "build") == 0;
	w->streams = strcmp(what, "stream") == 0;
	if (state == NULL || strlen(state) > PATH_BYTES - 256 || optind != argc ||
	    (!w->builds && !w->streams && strcmp(what, "time") != 0))
		usage();
	(void)snprintf(w->cache_dir, sizeof w->cache_dir, "%.3900s/cache", state);
	(void)snprintf(w->scratch_dir, sizeof w->scratch_dir, "%.3900s/scratch", state);
	free(state);
}

int
main(int argc, char **argv)
{
	struct worker	w;
	struct fault	why = { .status = ST_OK };
	enum status	st;

	parse(&w, argc, argv);
	jail_leave_network();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)umask(022);
	bind_self(&w);
	if (w.streams) {
		stream_memory(w.l3_bytes, DAEMON_FD);
		return 0;
	}
	allow_realtime(&w);
	wire_init(&w.wire, DAEMON_FD);
	st = open_up(&w, &why);
	if (st == ST_OK)
		st = greet(&w, &why);
	if (st == ST_OK) {
		say(&w, "info", "ready", "");
		st = serve(&w, &why);
	}
	builder_free(w.builder);
	supervisor_free(w.supervisor);
	wire_release(&w.wire);
	if (st == ST_UNAVAILABLE)
		return 0;		/* the daemon hung up: an order to stop */
	say(&w, "error", "ends", why.text);
	return status_exit_code(st);
}
