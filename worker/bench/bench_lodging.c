/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a lane's operands, by the kernel's word: nodes, sizes of pages. */
#include <stdio.h>
#include <string.h>

#include "worker/bench/bench_parts.h"
#include "worker/bench/proc/numa.h"

/* NODE_UNKNOWN: there are several, or the kernel does not report it. */
static int
only_node(void)
{
	FILE	*f = fopen("/sys/devices/system/node/has_memory", "re");
	int	 node = NODE_UNKNOWN;

	if (f != NULL) {
		node = numa_only(f);
		fclose(f);
	}
	return node;
}

static FILE *
open_proc(const struct bench *b, unsigned lane, const char *name)
{
	char	path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)bench_pid(b, lane), name);
	return fopen(path, "re");
}

int
bench_node(const struct bench *b, unsigned lane)
{
	struct runner_driver	 d = bench_driver(b);
	uint64_t		 at[RUNNER_OPERANDS];
	int			 node = only_node();
	FILE			*f;

	if (node != NODE_UNKNOWN || (f = open_proc(b, lane, "numa_maps")) == NULL)
		return node;
	memcpy(at, b->shm->at, sizeof at);
	node = numa_owner(f, at, d.operands);
	fclose(f);
	return node;
}

static void
lodge_nodes(const struct bench *b, unsigned lane, const uint64_t *at, size_t n,
    struct bench_lodging *out)
{
	const int	 only = only_node();
	FILE		*f = only == NODE_UNKNOWN ? open_proc(b, lane, "numa_maps") : NULL;

	for (size_t k = 0; k < n; k++) {
		out[k].node = only;
		if (f == NULL)
			continue;
		rewind(f);
		out[k].node = numa_owner(f, &at[k], 1);
	}
	if (f != NULL)
		fclose(f);
}

/* The kernel counts the pages of all mappings for that: only where one may be huge. */
void
bench_lodge(const struct bench *b, unsigned lane, const uint64_t bytes[RUNNER_OPERANDS],
    struct bench_lodging out[RUNNER_OPERANDS])
{
	const struct runner_driver	 d = bench_driver(b);
	enum pages_found		 pages[RUNNER_OPERANDS];
	uint64_t			 at[RUNNER_OPERANDS];
	bool				 may_be_huge = false;
	FILE				*f;

	memcpy(at, b->shm->at, sizeof at);
	lodge_nodes(b, lane, at, d.operands, out);
	for (size_t k = 0; k < d.operands; k++) {
		out[k].pages = PAGES_FOUND_SMALL;
		may_be_huge |= bytes[k] >= PAGES_HUGE_BYTES;
	}
	if (!may_be_huge || (f = open_proc(b, lane, "smaps")) == NULL)
		return;
	pages_find(f, at, d.operands, pages);
	fclose(f);
	for (size_t k = 0; k < d.operands; k++)
		out[k].pages = pages[k];
}
