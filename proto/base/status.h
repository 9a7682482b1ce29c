/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_STATUS_H
#define ASSAY_PROTO_BASE_STATUS_H

#include <stdbool.h>

/*
 * Every outcome, once: enumerator, exit code of the command line, wire word, T4 `invalidity` word,
 * a sentence.  A job ends in one of the first group; calls inside a program also fail with one of
 * the second, which never reaches a result.  Append only: exit codes and words are seen outside the
 * process.
 */
#define STATUS_OUTCOMES(X)									\
	X(OK, 0, "ok", "correct", "timed and checked")						\
	X(BAD_SPEC, 65, "bad_spec", "constraints", "the spec or the source was refused")	\
	X(BUILD_FAILED, 70, "build_failed", "compile", "the compiler refused it")		\
	X(BUILD_TIMEOUT, 71, "build_timeout", "compile",					\
	    "the compiler ran into its wall limit")						\
	X(BUILD_LIMIT, 72, "build_limit", "compile",						\
	    "the compiler ran into its memory or output limit")					\
	X(LOAD_FAILED, 73, "load_failed", "compile", "the built object could not be loaded")	\
	X(CRASHED, 80, "crashed", "runtime", "the routine died by a signal")			\
	X(RUN_TIMEOUT, 81, "run_timeout", "timeout", "the routine ran into its wall limit")	\
	X(RUN_LIMIT, 82, "run_limit", "runtime", "the routine ran into its memory limit")	\
	X(FORBIDDEN, 83, "forbidden", "runtime",						\
	    "the routine made a system call the jail refuses")					\
	X(WRONG_ANSWER, 84, "wrong_answer", "correctness",					\
	    "the answer differs from the reference's")						\
	X(NOT_FINITE, 85, "not_finite", "correctness",						\
	    "Inf or NaN where the reference has none")						\
	X(SUSPECT, 86, "suspect", "correctness",						\
	    "the claimed time contradicts the supervisor's clock")				\
	X(TOO_NOISY, 75, "too_noisy", "runtime", "the host was not quiet enough")		\
	X(CANCELLED, 87, "cancelled", "constraints", "cancelled by its user")			\
	X(EXPIRED, 88, "expired", "constraints", "its deadline passed before it was timed")	\
	X(INTERNAL, 76, "internal", "runtime", "a fault of Assay's own")
#define STATUS_LIST(X)										\
	STATUS_OUTCOMES(X)									\
	X(BAD_REQUEST, 64, "bad_request", "-", "the request is malformed")			\
	X(NOT_FOUND, 66, "not_found", "-", "there is no such thing")				\
	X(CONFLICT, 67, "conflict", "-", "it contradicts what is already there")		\
	X(UNAVAILABLE, 69, "unavailable", "-", "the daemon cannot be reached")			\
	X(IO, 74, "io", "-", "a read or write failed")						\
	X(DENIED, 77, "denied", "-", "not permitted")						\
	X(FULL, 78, "full", "-", "a limit is reached")						\
	X(NOMEM, 79, "no_memory", "-", "out of memory")

enum status {
#define X(name, code, word, t4, text) ST_##name,
	STATUS_LIST(X)
#undef X
	ST_N
};

const char	*status_word(enum status);	/* "ok", "bad_spec", … */
const char	*status_t4(enum status);	/* the T4 format's `invalidity` */
const char	*status_text(enum status);	/* one clause for a person */
int		 status_exit_code(enum status);
bool		 status_is_outcome(enum status);	/* may end a job */
bool		 status_from_word(enum status *, const char *word);	/* false: no such word */

#endif
