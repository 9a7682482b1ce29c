/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "worker/bench/numa.h"

enum { MOST = 64 };

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
