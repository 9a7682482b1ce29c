/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_USER_H
#define ASSAY_DAEMON_SETUP_USER_H

#include <stdint.h>
#include <sys/types.h>

/* Each may do what those before it may. */
enum role { ROLE_READ, ROLE_SUBMIT, ROLE_OPERATE, ROLE_N };

/* A user's own limit in place of the setting quota-…; in the order of daemon/queue/quota.h. */
enum user_limit { USER_QUEUED_JOBS, USER_BYTES, USER_TIMING_S, USER_NLIMITS };

enum {
	USER_NAME_BYTES	= 65,			/* with its NUL */
	USER_HASH_BYTES	= 32,			/* SHA-256 of a token */
};
#define USER_FIRST_NUMBER	UINT32_C(0x80000000)	/* of Assay's own */
#define USER_LAST_NUMBER	UINT32_C(0xffffff00)
#define USER_NOBODY		((uid_t)-1)		/* an unknown reader */
#define USER_STRANGER		((uid_t)-3)		/* who has yet to prove to be a user */

extern const char *const role_words[ROLE_N + 1];	/* ends with NULL */

/* How somebody proved to be a user; asked again when the file or the time has changed. */
enum proof_kind { PROOF_NONE, PROOF_TOKEN, PROOF_CERTIFICATE };
struct proof {
	enum proof_kind	 kind;
	unsigned char	 hash[USER_HASH_BYTES];		/* of the token */
	char		 name[256];			/* in the certificate */
	int64_t		 expires;			/* 0: never; a token's is set when it is
							 * found */
};

#endif
