/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In the guest, for assayd: takes the host from a running assay-hostd, gives up all rights, and moves itself into the
 * slot with nothing but the descriptor it was given.  Prints the CPUs it then may run on.
 *
 *	client SOCKET CPUS	one slot, with these
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/hold/hostd_link.h"
#include "proto/base/cpulist.h"

enum { NOBODY = 65534 };

int
main(int argc, char **argv)
{
	struct hostd_link	l;
	struct fault		why;
	char			line[1400], list[64];
	cpu_set_t		slot, mine;

	hostd_link_init(&l);
	if (argc != 3 || !cpulist_parse(argv[2], &slot) || hostd_link_open(&l, argv[1], &why) != ST_OK ||
	    hostd_link_ask(&l, HOSTD_APPLY, &slot, 1, &why) != ST_OK) {
		(void)printf("client: %s\n", argc == 3 ? fault_line(&why, line, sizeof line) : "SOCKET CPUS");
		return 1;
	}
	if (l.nslots != 1 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0 || write(l.slot_fd[0], "0", 1) != 1 ||
	    sched_getaffinity(0, sizeof mine, &mine) != 0) {
		(void)printf("client: partition %s, %u slots: cannot enter\n", l.reply.partition, l.nslots);
		return 1;
	}
	(void)printf("partition %s, cpus %s\n", l.reply.partition, cpulist_format(&mine, list, sizeof list));
	return 0;			/* and with us goes the connection, and with that everything is undone */
}
