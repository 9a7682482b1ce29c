/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/cpulist.h"
#include "worker/bench/proc/numa.h"

#define NODES	"/sys/devices/system/node/"
enum { MOST = 64, PATH_BYTES = 512, LIST_BYTES = 4096 };

static int
join(int a, int b)
{
	return a == b ? a : NODE_MIXED;
}

/*
 * A mapping's line has a word such as N0=17 for each node that has pages of it; none when it has no
 * pages.
 */
static int
node_of(char *words)
{
	int	node = NODE_UNKNOWN;
	char	*rest = NULL;

	for (char *w = strtok_r(words, " \n", &rest); w != NULL; w = strtok_r(NULL, " \n", &rest)) {
		char	*end;
		long	 n;

		if (w[0] != 'N' || w[1] < '0' || w[1] > '9')
			continue;
		n = strtol(w + 1, &end, 10);
		if (*end == '=')
			node = node == NODE_UNKNOWN ? (int)n : join(node, (int)n);
	}
	return node;
}

/*
 * The list has only the beginning of each mapping, in ascending order: an address is in the last
 * mapping that begins at or below it.
 */
int
numa_owner(FILE *numa_maps, const uint64_t *at, size_t n)
{
	int	 owner[MOST], all;
	char	*line = NULL;
	size_t	 room = 0;

	if (n == 0 || n > MOST)
		return NODE_UNKNOWN;
	for (size_t k = 0; k < n; k++)
		owner[k] = NODE_UNKNOWN;
	while (getline(&line, &room, numa_maps) > 0) {
		char		*words;
		uint64_t	 start = strtoull(line, &words, 16);
		int		 node = node_of(words);

		for (size_t k = 0; k < n; k++)
			if (start <= at[k])
				owner[k] = node;
	}
	free(line);
	all = owner[0];
	for (size_t k = 0; k < n; k++) {
		if (owner[k] == NODE_UNKNOWN)
			return NODE_UNKNOWN;
		all = join(all, owner[k]);
	}
	return all;
}

int
numa_only(FILE *has_memory)
{
	int	node;
	char	end = '\0';

	if (fscanf(has_memory, "%d%c", &node, &end) < 1 || node < 0 || (end != '\0' && end != '\n'))
		return NODE_UNKNOWN;
	return node;
}

/* ---- the nodes that a spec asks for ---- */

/* Lists of nodes have the form of lists of CPUs. */
static bool
read_list(const char *root, const char *name, cpu_set_t *out)
{
	char	 path[PATH_BYTES], list[LIST_BYTES] = "";
	FILE	*f;
	bool	 done;

	CPU_ZERO(out);
	(void)snprintf(path, sizeof path, "%s" NODES "%s", root, name);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	done = fgets(list, sizeof list, f) != NULL;
	(void)fclose(f);
	list[strcspn(list, "\n")] = '\0';
	return done && cpulist_parse(list, out);
}

/* -1: not known. */
static int
node_of_cpu(const char *root, int cpu)
{
	cpu_set_t	online, cpus;
	char		name[32];

	if (cpu < 0 || cpu >= CPU_SETSIZE || !read_list(root, "online", &online))
		return -1;
	for (int n = 0; n < CPU_SETSIZE; n++) {
		(void)snprintf(name, sizeof name, "node%d/cpulist", n);
		if (CPU_ISSET(n, &online) && read_list(root, name, &cpus) &&
		    CPU_ISSET((size_t)cpu, &cpus))
			return n;
	}
	return -1;
}

/* Of a host's nodes with memory; `own` is the timing CPU's. */
struct nodes {
	cpu_set_t	 all;
	int		 own;
};

static enum status
refuse(const struct spec *s, size_t arg, const char *text, struct fault *why)
{
	char		member[PROTOTYPE_NAME_MAX + 32];
	enum status	st;

	(void)snprintf(member, sizeof member, "spec.args.%s.node", s->routine.params[arg].name);
	st = fault_at(why, ST_BAD_SPEC, member, "%s", text);
	fault_hint(why, "leave it out, or time on a host that has it");
	return st;
}

/* The first of the others. */
static int
remote_of(const struct nodes *nodes)
{
	for (int n = 0; n < CPU_SETSIZE; n++)
		if (n != nodes->own && CPU_ISSET((size_t)n, &nodes->all))
			return n;
	return -1;
}

static enum status
choose_one(const struct spec *s, size_t arg, const struct nodes *nodes, int32_t *out,
    struct fault *why)
{
	const struct operand	*o = &s->args[arg].operand;
	char			 list[128], text[256];

	if (nodes->own < 0 && o->home != HOME_NUMBER)
		return refuse(s, arg, "the node of the timing CPU is not known", why);
	*out = o->home == HOME_NUMBER ? (int32_t)o->node : o->home == HOME_LOCAL ? nodes->own :
	    remote_of(nodes);
	if (*out < 0)
		return refuse(s, arg, "is \"remote\", but this host has one memory node", why);
	if (CPU_ISSET((size_t)*out, &nodes->all))
		return ST_OK;
	(void)snprintf(text, sizeof text, "is node %d, but memory of this host is on %s", *out,
	    cpulist_format(&nodes->all, list, sizeof list));
	return refuse(s, arg, text, why);
}

enum status
numa_choose(const struct spec *s, const char *root, int cpu, int32_t node[RUNNER_OPERANDS],
    struct fault *why)
{
	struct nodes	nodes = { .own = -1 };
	bool		known = false;
	size_t		k = 0;
	enum status	st = ST_OK;

	for (size_t i = 0; i < RUNNER_OPERANDS; i++)
		node[i] = -1;
	for (size_t i = 0; i < s->routine.nparams && st == ST_OK; i++) {
		if (!s->args[i].is_operand)
			continue;
		if (s->args[i].operand.home != HOME_ANY) {
			if (!known && !(known = read_list(root, "has_memory", &nodes.all)))
				return refuse(s, i, "this kernel knows no memory nodes", why);
			nodes.own = node_of_cpu(root, cpu);
			st = choose_one(s, i, &nodes, &node[k], why);
		}
		k++;
	}
	return st;
}
