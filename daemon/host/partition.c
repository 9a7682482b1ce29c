/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/host/cgroup.h"
#include "daemon/host/partition.h"
#include "daemon/host/undo.h"

#define STATE		PARTITION_DIR "/cpuset.cpus.partition"

/*
 * Steps in order: the first failure decides.  Set-up stops without a message once status is not
 * KNOB_SET.
 */
struct making {
	const struct site		*site;
	const struct partition_order	*order;
	struct journal			*journal;
	struct partition_outcome	*outcome;
};

const char *
partition_kind_word(enum partition_kind kind)
{
	static const char *const	words[] = { "none", "isolated", "root" };

	return words[kind];
}

static void
fail(struct making *m, int error, const char *what)
{
	if (m->outcome->status != KNOB_SET)
		return;
	m->outcome->status = knob_status_of_errno(error);
	(void)snprintf(m->outcome->words, sizeof m->outcome->words, "%.160s: %s", what,
	    strerror(error));
}

/* ---- steps; changes of existing files go through the journal ---- */

static enum status
enable_controller(struct making *m, const char *dir, const char *name, bool needed,
    struct fault *why)
{
	char		path[HOSTFS_PATH_BYTES], old[HOSTFS_VALUE_BYTES], on[32], off[32];
	enum status	st;
	int		rc;

	(void)snprintf(path, sizeof path, "%s" CGROUP_CONTROL, dir);
	if ((rc = hostfs_read(&m->site->fs, path, old, sizeof old)) != 0) {
		fail(m, rc, path);
		return ST_OK;
	}
	if (cgroup_lists(old, name))
		return ST_OK;
	(void)snprintf(on, sizeof on, "+%s", name);
	(void)snprintf(off, sizeof off, "-%s", name);
	if ((st = journal_intend(m->journal, JOURNAL_WRITE, "cgroup_controller", path, old, on, off,
	    why)) != ST_OK)
		return st;
	if ((rc = hostfs_write(&m->site->fs, path, on)) != 0 && needed)
		fail(m, rc, path);
	(void)hostfs_read(&m->site->fs, path, old, sizeof old);
	return journal_got(m->journal, old, why);
}

static enum status
make_directory(struct making *m, const char *path, struct fault *why)
{
	enum status	st = journal_intend(m->journal, JOURNAL_MAKE, "cgroup", path,
			    "", "", "", why);
	int		rc;

	if (st != ST_OK)
		return st;
	if ((rc = hostfs_mkdir(&m->site->fs, path)) != 0) {
		fail(m, rc, path);
		return ST_OK;		/* not done: undoing finds nothing */
	}
	return journal_got(m->journal, "", why);
}

static void
put(struct making *m, const char *dir, const char *file, const char *value)
{
	char	path[HOSTFS_PATH_BYTES];
	int	rc;

	if (m->outcome->status != KNOB_SET)
		return;
	(void)snprintf(path, sizeof path, "%.200s/%s", dir, file);
	if ((rc = hostfs_write(&m->site->fs, path, value)) != 0)
		fail(m, rc, path);
}

static int
note_node(void *arg, const char *path)
{
	cpu_set_t	*nodes = arg;
	int		 n = -1;

	if (sscanf(strrchr(path, '/'), "/node%d", &n) == 1 && n >= 0 && n < CPU_SETSIZE)
		CPU_SET((unsigned)n, nodes);
	return 0;
}

/* Memory from the timing CPUs' own nodes; nothing to do if the kernel has no nodes. */
static void
put_memory_nodes(struct making *m)
{
	char		pattern[HOSTFS_PATH_BYTES], list[256];
	cpu_set_t	nodes;

	CPU_ZERO(&nodes);
	for (unsigned i = 0; i < m->site->ncpus; i++) {
		(void)snprintf(pattern, sizeof pattern, "/sys/devices/system/cpu/cpu%d/node[0-9]*",
		    m->site->cpu[i]);
		(void)hostfs_each(&m->site->fs, pattern, note_node, &nodes);
	}
	if (CPU_COUNT(&nodes) != 0)
		put(m, PARTITION_DIR, "cpuset.mems", cpulist_format(&nodes, list, sizeof list));
}

/* The kernel may accept the word and still refuse the partition: only reading back shows it. */
static enum status
set_state(struct making *m, struct fault *why)
{
	struct partition_outcome	*o = m->outcome;
	const char			*kind = partition_kind_word(m->order->kind);
	enum status			 st;
	int				 rc;

	if ((st = journal_intend(m->journal, JOURNAL_OWN, "partition", STATE, "member", kind,
	    "member", why)) != ST_OK)
		return st;
	if ((rc = hostfs_write(&m->site->fs, STATE, kind)) != 0) {
		fail(m, rc, STATE);
	} else {
		partition_words(&m->site->fs, o->words, sizeof o->words);
		if (strcmp(o->words, kind) != 0)
			o->status = KNOB_NOT_TAKEN;
	}
	return journal_got(m->journal, o->words, why);
}

static void
hand_over(struct making *m, const char *dir)
{
	static const char *const	files[] = { "cgroup.kill", "memory.max",
	    "memory.swap.max", "pids.max" };
	char				path[HOSTFS_PATH_BYTES];

	for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
		(void)snprintf(path, sizeof path, "%.200s/%s", dir, files[i]);
		(void)hostfs_chown(&m->site->fs, path, m->order->owner, m->order->group);
	}
}

static enum status
make_slot(struct making *m, unsigned slot, struct fault *why)
{
	char		dir[HOSTFS_PATH_BYTES], list[HOSTFS_VALUE_BYTES];
	enum status	st;

	(void)snprintf(dir, sizeof dir, PARTITION_DIR "/slot%d", m->site->slot_cpu[slot]);
	if ((st = make_directory(m, dir, why)) != ST_OK)
		return st;
	put(m, dir, "cpuset.cpus", cpulist_format(&m->site->slot[slot], list, sizeof list));
	hand_over(m, dir);
	return ST_OK;
}

static enum status
make_slots(struct making *m, struct fault *why)
{
	enum status	st = ST_OK;

	put(m, PARTITION_DIR, "cgroup.subtree_control", "+cpuset");
	/* limits are useful, but not required */
	(void)hostfs_write(&m->site->fs, PARTITION_DIR CGROUP_CONTROL, "+memory");
	(void)hostfs_write(&m->site->fs, PARTITION_DIR CGROUP_CONTROL, "+pids");
	for (unsigned i = 0; st == ST_OK && m->outcome->status == KNOB_SET && i < m->site->nslots;
	    i++)
		st = make_slot(m, i, why);
	return st;
}

static enum status
make_partition(struct making *m, struct fault *why)
{
	char		list[HOSTFS_VALUE_BYTES];
	enum status	st;

	if ((st = enable_controller(m, CGROUP_MOUNT, "cpuset", true, why)) != ST_OK ||
	    m->outcome->status != KNOB_SET ||
	    (st = enable_controller(m, CGROUP_MOUNT, "memory", false, why)) != ST_OK ||
	    (st = enable_controller(m, CGROUP_MOUNT, "pids", false, why)) != ST_OK ||
	    (st = make_directory(m, PARTITION_DIR, why)) != ST_OK || m->outcome->status != KNOB_SET)
		return st;
	put(m, PARTITION_DIR, "cpuset.cpus", cpulist_format(&m->site->cores, list, sizeof list));
	put_memory_nodes(m);
	if (m->outcome->status != KNOB_SET || (st = set_state(m, why)) != ST_OK ||
	    m->outcome->status != KNOB_SET)
		return st;
	return make_slots(m, why);
}

/* Is this cgroup v2 with cpusets, and does the directory not exist yet? */
static bool
can_start(struct making *m)
{
	char	text[HOSTFS_VALUE_BYTES];
	int	rc = hostfs_read(&m->site->fs, CGROUP_MOUNT "/cgroup.controllers",
		    text, sizeof text);
	int	fd;

	if (rc != 0 || !cgroup_lists(text, "cpuset")) {
		m->outcome->status = rc != 0 ? knob_status_of_errno(rc) : KNOB_ABSENT;
		(void)snprintf(m->outcome->words, sizeof m->outcome->words,
		    "no cgroup v2 with the cpuset controller on " CGROUP_MOUNT);
		return false;
	}
	if (hostfs_open(&m->site->fs, PARTITION_DIR, O_RDONLY | O_DIRECTORY, &fd) == 0) {
		(void)close(fd);
		m->outcome->status = KNOB_FOREIGN;
		(void)snprintf(m->outcome->words, sizeof m->outcome->words,
		    PARTITION_DIR " exists already, and no journal of assay-hostd has it");
		return false;
	}
	return true;
}

enum status
partition_make(const struct site *s, const struct partition_order *order, struct journal *j,
    struct partition_outcome *outcome, struct fault *why)
{
	struct making	m = { s, order, j, outcome };
	size_t		before = j->n;
	enum status	st;

	*outcome = (struct partition_outcome){ .status = KNOB_SET };
	if (!can_start(&m))
		return ST_OK;
	st = make_partition(&m, why);
	if (outcome->status != KNOB_SET)
		(void)undo_since(&s->fs, j, before, NULL, NULL);
	return st;
}

void
partition_words(const struct hostfs *fs, char *buf, size_t bytes)
{
	if (hostfs_read(fs, STATE, buf, bytes) != 0)
		(void)snprintf(buf, bytes, "none");
}

bool
partition_is_broken(const char *words)
{
	return strstr(words, "invalid") != NULL;
}

int
partition_open_slot(const struct site *s, unsigned slot)
{
	char	path[HOSTFS_PATH_BYTES];
	int	fd;

	(void)snprintf(path, sizeof path, PARTITION_DIR "/slot%d/cgroup.procs", s->slot_cpu[slot]);
	(void)hostfs_open(&s->fs, path, O_WRONLY, &fd);
	return fd;
}
