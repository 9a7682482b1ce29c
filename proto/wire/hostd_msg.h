/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_HOSTD_MSG_H
#define ASSAY_PROTO_WIRE_HOSTD_MSG_H

#include <stdint.h>

/*
 * What assayd and assay-hostd say to each other: packets of fixed size on a SOCK_SEQPACKET Unix
 * socket, one reply to each request, in the machine's own byte order.  A packet of another size,
 * magic or operation ends the connection.
 *
 * The connection is the lease: when it closes, however that comes, assay-hostd undoes everything.
 * One connection at a time; another is answered HOSTD_APPLY with status `conflict` and closed.
 *
 * The reply to a successful HOSTD_APPLY with a partition carries one descriptor (SCM_RIGHTS) for
 * each slot, in the order of the request: a slot's cgroup.procs, open for writing.  A process that
 * writes "0" to it is in the slot.
 *
 * Any change of these structs is a change of HOSTD_MAGIC.
 */
/* Writable by root alone: a forged journal there would be followed. */
#define HOSTD_RUN_DIR	"/run/assay-hostd"

enum { HOSTD_MAGIC = 0x41534833, HOSTD_MAX_SLOTS = 64, HOSTD_MAX_CPUS = 256, HOSTD_NCOUNTS = 7 };

enum hostd_op {
	HOSTD_APPLY = 1,		/* take these CPUs; conflict: taken already */
	HOSTD_RESTORE = 2,		/* give back */
	HOSTD_STATUS = 3,		/* the last apply's reply, the partition read again */
	HOSTD_FREQUENCY = 4,		/* a slot's clock; bad_spec: not to be had */
};

struct hostd_request {
	uint32_t	 magic;
	uint32_t	 op;
	uint32_t	 of_slot, khz;		/* frequency; khz 0: as before the first */
	uint32_t	 ncpus;			/* apply: timing CPUs, slot by slot */
	uint16_t	 cpu[HOSTD_MAX_CPUS];
	uint16_t	 slot[HOSTD_MAX_CPUS];	/* of each: 0, 1, … without a gap */
};

struct hostd_reply {
	uint32_t	 magic;
	uint32_t	 op;
	uint32_t	 status;		/* enum status; only ST_OK comes with descriptors */
	uint32_t	 nslots;		/* descriptors that come along */
	uint32_t	 count[HOSTD_NCOUNTS];	/* knobs by enum knob_status */
	char		 partition[160];	/* the kernel's words, or "none" */
	char		 text[320];		/* why it failed; "" it did not */
};

#endif
