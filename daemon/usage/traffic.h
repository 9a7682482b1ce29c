/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_USAGE_TRAFFIC_H
#define ASSAY_DAEMON_USAGE_TRAFFIC_H

/*
 * Where and why the daemon ends connections; the words of the metrics are in
 * daemon/api/api_metrics.c.
 */
enum traffic_door { TRAFFIC_RPC, TRAFFIC_HTTP, TRAFFIC_NDOORS };
enum traffic_reason {
	TRAFFIC_FULL,		/* refused: too many connections */
	TRAFFIC_SLOW,		/* cut off: a request took too long */
	TRAFFIC_UNREAD,		/* cut off: its output was not read */
	TRAFFIC_MALFORMED,	/* cut off: no such protocol, or beyond a limit */
	TRAFFIC_NREASONS,
};

#endif
