/* SPDX-License-Identifier: Apache-2.0 */
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * modest_caches FILE: this host's topology, as hwloc reads it from HWLOC_XMLFILE, but with no cache
 * larger than MOST_BYTES.  A virtual machine may report half a gigabyte, of which it has a small
 * part; to leave that takes a real flush seconds.
 */
#define MOST_BYTES	((hwloc_uint64_t)96 << 20)

static void
limit_caches(hwloc_topology_t h, hwloc_obj_type_t type)
{
	hwloc_obj_t	cache = NULL;

	while ((cache = hwloc_get_next_obj_by_type(h, type, cache)) != NULL)
		if (cache->attr->cache.size > MOST_BYTES)
			cache->attr->cache.size = MOST_BYTES;
}

int
main(int argc, char *argv[])
{
	hwloc_topology_t	h;

	if (argc != 2) {
		fprintf(stderr, "usage: modest_caches FILE\n");
		return EXIT_FAILURE;
	}
	if (hwloc_topology_init(&h) != 0 ||
	    hwloc_topology_set_flags(h, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
	    hwloc_topology_load(h) != 0) {
		fprintf(stderr, "modest_caches: hwloc cannot read this host's topology\n");
		return EXIT_FAILURE;
	}
	limit_caches(h, HWLOC_OBJ_L2CACHE);
	limit_caches(h, HWLOC_OBJ_L3CACHE);
	if (hwloc_topology_export_xml(h, argv[1], 0) != 0) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	hwloc_topology_destroy(h);
	return EXIT_SUCCESS;
}
