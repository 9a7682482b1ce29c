/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_NOTIFY_REQUEST_H
#define ASSAY_DAEMON_NOTIFY_REQUEST_H

/*
 * What assayd and assay-notify say to each other: one JSON object on the program's stdin, one on
 * its stdout, then it ends.
 *
 *	{ "url", "body", "headers": [ "Name: value" ], "allow": "host, private",
 *	  "ca": "FILE", of authorities; "": the system's }
 *	{ "outcome": one of the words, "reason": a clause for people }
 *
 * The program holds no secret: the signature is a header.
 */
#define NOTIFY_SENT	"sent"		/* the receiver has it */
#define NOTIFY_AGAIN	"again"		/* may be tried again */
#define NOTIFY_FAILED	"failed"	/* never will be */
#define NOTIFY_REFUSED	"refused"	/* the address is not allowed */

#endif
