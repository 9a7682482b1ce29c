/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_MSG_H
#define ASSAY_PROTO_WIRE_MSG_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "proto/base/fault.h"
#include "proto/wire/kept.h"

/*
 * Daemon ↔ worker, over a stream socket that is the worker's descriptor 3.  A frame is a 4-byte
 * little-endian length and that many bytes of JSON: one object with a member "kind", and behind a
 * timing what is kept of its report (proto/wire/kept.h).  The daemon sends an order and, if it
 * likes, the next one while that is being worked on, and cancels in between; the worker greets once
 * and answers each order once, in their order.  It answers an order that was cancelled before its
 * turn without beginning it.  Either side closes the socket to stop.
 *
 *   worker → daemon   hello   built   timed
 *   daemon → worker   build   time    cancel
 */
enum { MSG_MAX_BYTES = 64 << 20, MSG_HEADER_BYTES = 4, HASH_HEX = 64 };

enum msg_kind { MSG_HELLO, MSG_BUILD, MSG_TIME, MSG_CANCEL, MSG_BUILT, MSG_TIMED, MSG_N };

/* SHA-256 in lower-case hex; "" when there is none. */
struct hash {
	char	hex[HASH_HEX + 1];
};

/* What a build leaves in the cache: the names of shared objects. */
struct artifacts {
	struct hash	 driver, variant, reference;	/* reference: "" without a check */
	/* "" when the job has no such thing; then the message lacks it */
	struct hash	 against, metric;
};

/*
 * A job document as its two texts in the store, so that it need not be written again: its spec, and
 * the rest of it.
 */
struct job_text {
	const char	*spec, *rest;		/* borrowed; JSON objects, compact; rest has
						 * members, and none called spec */
};

enum { MSG_COMPANY_MAX = 15 };

struct msg {
	enum msg_kind	 kind;
	int64_t		 job_id;		/* all but hello */

	struct job_text	 text;			/* build, time, when put: the job document */
	json_t		*job;			/* the same when got; owned */
	/* build: jobs that come next and may share its build (worker/build/unit/unit.h) */
	unsigned	 ncompany;
	struct job_text	 company[MSG_COMPANY_MAX];	/* when put */
	json_t		*companions;		/* the same when got: an array; owned; NULL: none */
	struct artifacts artifacts;		/* time, built */
	uid_t		 submitter;		/* time: of the job; two of them never share a
						 * runner */
	json_t		*calibrated;		/* time: struct calibrated; owned; NULL: this host
						 * is not calibrated */
	json_t		*quiet;			/* time: what is known of quiet; owned; NULL:
						 * nothing, or it is known */

	enum status	 status;		/* built, timed: ok or why not */
	char		*detail;		/* built, timed: words for the user, diagnostics;
						 * owned, may be NULL */
	char		*report_text;		/* hello, built, timed, when put: below, as JSON;
						 * owned */
	json_t		*report;		/* the same when got; owned */
	struct kept	 kept;			/* timed: beside the report */
};

/*
 * Reports: hello has a struct hello, built a struct built (proto/wire/hello.h), timed a struct
 * report (proto/wire/report.h).  For a job that the worker could not read it is {}.
 */

/*
 * A frame to send: header and JSON in one owned buffer.  `put` and msg_get are each other's
 * inverse.
 */
enum status	 msg_put(const struct msg *, char **frame, size_t *bytes, struct fault *);
/* body: without the header. */
enum status	 msg_get(struct msg *, const char *body, size_t bytes, struct fault *);
void		 msg_release(struct msg *);
uint32_t	 msg_body_bytes(const unsigned char header[MSG_HEADER_BYTES]);

#endif
