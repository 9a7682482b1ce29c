/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_SETUP_USERS_H
#define ASSAY_DAEMON_SETUP_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/setup/user.h"
#include "proto/base/fault.h"

/*
 * Who may do what.  A user is a number everywhere: the host's own for those who come over a Unix
 * socket or loopback, one of Assay's for those whom only users.conf knows.  Every function may be
 * called from any thread; NULL for the users: the file has none.
 */
struct users;

/* Gives a user that the file has no number for one that stays; called within users_read. */
typedef enum status user_number_fn(void *arg, const char *name, uid_t *, struct fault *);

enum status	 users_new(struct users **, struct fault *);
void		 users_free(struct users *);
/*
 * Reads the file.  "": there is none.  A fault names its line and leaves all as it was.  Others may
 * neither read nor write it.
 */
enum status	 users_read(struct users *, const char *path, user_number_fn *, void *arg,
		    struct fault *);

/*
 * Without a line in the file: root and the daemon's own user operate, users of this host submit,
 * and USER_NOBODY reads.
 */
enum role	 users_role(struct users *, uid_t);
/* From the file, else the host's, as far as that is known: see host_names.h.  false: buf is "". */
bool		 users_name(struct users *, uid_t, char buf[USER_NAME_BYTES]);
/* "alice", else "user 1000".  Returns buf. */
const char	*users_words(struct users *, uid_t, char buf[USER_NAME_BYTES]);
/* Of the file, else of the host's /etc/passwd.  false: neither has this name. */
bool		 users_number(struct users *, const char *name, uid_t *);
/* false: the setting counts. */
bool		 users_limit(struct users *, uid_t, enum user_limit, uint64_t *);

/* The proof that a token is; its bytes are as they came. */
bool		 proof_of_token(struct proof *, const char *token, size_t bytes);
/* ST_DENIED: it proves nothing, or nothing any more. */
enum status	 users_find(struct users *, struct proof *, uid_t *, struct fault *);
bool		 proof_has_expired(const struct proof *);

#endif
