/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_USERS_FILE_H
#define ASSAY_DAEMON_SETUP_USERS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/setup/user.h"
#include "proto/base/fault.h"

/* The text of users.conf: a line a user.  No I/O. */
enum {
	USERS_FILE_BYTES	= 4 << 20,
	USERS_MAX		= 10000,
	USER_MAX_TOKENS		= 16,
	USER_MAX_CERTIFICATES	= 4,
};

struct user_token {
	unsigned char	 hash[USER_HASH_BYTES];
	int64_t		 expires;		/* seconds since the epoch; 0: never */
};

struct user {
	char			 name[USER_NAME_BYTES];
	uid_t			 uid;
	bool			 has_uid;	/* false: it is to get a number */
	bool			 has_role;
	enum role		 role;
	struct user_token	*token;		/* owned */
	size_t			 ntokens;
	char			*certificate[USER_MAX_CERTIFICATES];	/* owned */
	size_t			 ncertificates;
	uint64_t		 limit[USER_NLIMITS];
	bool			 has_limit[USER_NLIMITS];
	unsigned		 line;
};

struct users_file {
	struct user	*user;			/* owned */
	size_t		 n, max;
};

/* ST_BAD_REQUEST: a fault with its line; nothing is left to release. */
enum status	 users_file_parse(struct users_file *, const char *text, size_t bytes,
		    struct fault *);
/* After all have numbers: no number is of two users. */
enum status	 users_file_check_numbers(const struct users_file *, struct fault *);
void		 users_file_release(struct users_file *);

/*
 * "2027-01-31", to the end of that day, or "2027-01-31T12:00:00Z", in UTC; false: neither.
 */
bool		 user_moment(const char *text, int64_t *seconds);

#endif
