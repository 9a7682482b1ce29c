/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <uthash.h>

#include "daemon/setup/host_names.h"
#include "daemon/setup/users.h"
#include "daemon/setup/users_file.h"
#include "proto/base/clock.h"

struct users {
	struct host_names	*host;		/* owned */
	pthread_mutex_t		 lock;		/* of all that follows */
	struct users_file	 file;
};

enum status
users_new(struct users **out, struct fault *why)
{
	struct users	*us = *out = calloc(1, sizeof *us);

	if (us == NULL || (us->host = host_names_new()) == NULL) {
		free(us);
		*out = NULL;
		return fault_set(why, ST_NOMEM, "users");
	}
	(void)pthread_mutex_init(&us->lock, NULL);
	return ST_OK;
}

void
users_free(struct users *us)
{
	if (us == NULL)
		return;
	host_names_free(us->host);
	users_file_release(&us->file);
	(void)pthread_mutex_destroy(&us->lock);
	free(us);
}

/* ---- the file ---- */

static enum status
check_file(int fd, const char *path, struct fault *why)
{
	struct stat	sb;
	enum status	st;

	if (fstat(fd, &sb) != 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if (!S_ISREG(sb.st_mode) || sb.st_size > USERS_FILE_BYTES)
		return fault_set(why, ST_BAD_REQUEST, "%s: must be a file of at most %d bytes",
		    path, USERS_FILE_BYTES);
	if (sb.st_uid != 0 && sb.st_uid != geteuid())
		st = fault_set(why, ST_BAD_REQUEST, "%s: belongs to user %u, who could be anybody "
		    "by it", path, (unsigned)sb.st_uid);
	else if ((sb.st_mode & (S_IRWXO | S_IWGRP)) != 0)
		st = fault_set(why, ST_BAD_REQUEST, "%s: others may read or change it (mode %04o)",
		    path, (unsigned)sb.st_mode & 07777);
	else
		return ST_OK;
	fault_hint(why, "chown root:assay and chmod 640 it");
	return st;
}

/* *text: owned by the caller. */
static enum status
read_text(int fd, const char *path, char **text, size_t *bytes, struct fault *why)
{
	ssize_t	n;

	if ((*text = malloc(USERS_FILE_BYTES)) == NULL)
		return fault_set(why, ST_NOMEM, "users");
	for (*bytes = 0; *bytes < USERS_FILE_BYTES; *bytes += (size_t)n) {
		if ((n = read(fd, *text + *bytes, USERS_FILE_BYTES - *bytes)) == 0)
			return ST_OK;
		if (n < 0) {
			free(*text);
			return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
		}
	}
	return ST_OK;
}

/* Of a fault "line 8.role": "/etc/assay/users.conf:8: role". */
static void
name_line(struct fault *why, const char *path)
{
	unsigned	line;
	int		n = 0;
	char		rest[sizeof why->member];

	if (sscanf(why->member, "line %u%n", &line, &n) != 1) {
		(void)fault_within(why, path);
		return;
	}
	memcpy(rest, why->member + n, sizeof rest - (size_t)n);
	rest[sizeof rest - (size_t)n - 1] = '\0';
	(void)snprintf(why->member, sizeof why->member, "%.140s:%u%s%.30s", path, line,
	    rest[0] == '.' ? ": " : "", rest + (rest[0] == '.'));
}

static enum status
parse_file(struct users_file *f, const char *path, struct fault *why)
{
	const int	 fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char		*text;
	size_t		 bytes = 0;
	enum status	 st;

	if (fd < 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if ((st = check_file(fd, path, why)) == ST_OK &&
	    (st = read_text(fd, path, &text, &bytes, why)) == ST_OK) {
		if ((st = users_file_parse(f, text, bytes, why)) != ST_OK)
			name_line(why, path);
		free(text);
	}
	(void)close(fd);
	return st;
}

static enum status
number_users(struct users_file *f, user_number_fn *number, void *arg, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < f->n; i++)
		if (!f->user[i].has_uid)
			st = number(arg, f->user[i].name, &f->user[i].uid, why);
	return st != ST_OK ? st : users_file_check_numbers(f, why);
}

enum status
users_read(struct users *us, const char *path, user_number_fn *number, void *arg,
    struct fault *why)
{
	struct users_file	fresh = { .n = 0 }, old;
	enum status		st;

	if (path[0] != '\0' && ((st = parse_file(&fresh, path, why)) != ST_OK ||
	    (st = number_users(&fresh, number, arg, why)) != ST_OK)) {
		users_file_release(&fresh);
		return st;
	}
	(void)pthread_mutex_lock(&us->lock);
	old = us->file;
	us->file = fresh;
	host_names_ask_again(us->host);
	(void)pthread_mutex_unlock(&us->lock);
	users_file_release(&old);
	return ST_OK;
}

/* ---- users by number; with the lock ---- */

static const struct user *
by_number(const struct users *us, uid_t uid)
{
	for (size_t i = 0; i < us->file.n; i++)
		if (us->file.user[i].uid == uid)
			return &us->file.user[i];
	return NULL;
}

static bool
has_name(const struct users *us, const char *name)
{
	for (size_t i = 0; i < us->file.n; i++)
		if (strcmp(us->file.user[i].name, name) == 0)
			return true;
	return false;
}

static enum role
role_without_line(uid_t uid)
{
	if (uid == 0 || uid == geteuid())
		return ROLE_OPERATE;
	return uid < USER_FIRST_NUMBER ? ROLE_SUBMIT : ROLE_READ;
}

enum role
users_role(struct users *us, uid_t uid)
{
	const struct user	*u;
	enum role		 role;

	if (us == NULL)
		return role_without_line(uid);
	(void)pthread_mutex_lock(&us->lock);
	u = by_number(us, uid);
	role = u != NULL ? u->role : role_without_line(uid);
	(void)pthread_mutex_unlock(&us->lock);
	return role;
}

bool
users_limit(struct users *us, uid_t uid, enum user_limit which, uint64_t *out)
{
	const struct user	*u;
	bool			 found;

	if (us == NULL)
		return false;
	(void)pthread_mutex_lock(&us->lock);
	u = by_number(us, uid);
	if ((found = u != NULL && u->has_limit[which]))
		*out = u->limit[which];
	(void)pthread_mutex_unlock(&us->lock);
	return found;
}

/* ---- names ---- */

/* A name of the file means the file's user alone. */
static void
put_name(struct users *us, uid_t uid, char buf[USER_NAME_BYTES])
{
	const struct user	*u = by_number(us, uid);

	if (u != NULL) {
		(void)snprintf(buf, USER_NAME_BYTES, "%s", u->name);
		return;
	}
	if (uid < USER_FIRST_NUMBER)
		host_names_find(us->host, uid, buf);
	if (has_name(us, buf))
		buf[0] = '\0';
}

bool
users_name(struct users *us, uid_t uid, char buf[USER_NAME_BYTES])
{
	buf[0] = '\0';
	if (us == NULL)
		return false;
	(void)pthread_mutex_lock(&us->lock);
	put_name(us, uid, buf);
	(void)pthread_mutex_unlock(&us->lock);
	return buf[0] != '\0';
}

const char *
users_words(struct users *us, uid_t uid, char buf[USER_NAME_BYTES])
{
	if (!users_name(us, uid, buf))
		(void)snprintf(buf, USER_NAME_BYTES, "user %u", (unsigned)uid);
	return buf;
}

bool
users_number(struct users *us, const char *name, uid_t *uid)
{
	bool	found = false;

	if (us != NULL) {
		(void)pthread_mutex_lock(&us->lock);
		for (size_t i = 0; i < us->file.n && !found; i++)
			if ((found = strcmp(us->file.user[i].name, name) == 0))
				*uid = us->file.user[i].uid;
		(void)pthread_mutex_unlock(&us->lock);
	}
	return found || host_names_number(name, uid);
}

/* ---- proofs ---- */

bool
proof_of_token(struct proof *p, const char *token, size_t bytes)
{
	*p = (struct proof){ .kind = PROOF_TOKEN };
	return EVP_Digest(token, bytes, p->hash, NULL, EVP_sha256(), NULL) == 1;
}

/* Looks at every token, so that the time it takes tells nothing of them. */
static const struct user *
by_token(const struct users *us, const struct proof *p, int64_t *expires)
{
	const struct user	*found = NULL;

	for (size_t i = 0; i < us->file.n; i++) {
		const struct user	*u = &us->file.user[i];

		for (size_t k = 0; k < u->ntokens; k++) {
			if (CRYPTO_memcmp(u->token[k].hash, p->hash, USER_HASH_BYTES) != 0)
				continue;
			found = u;
			*expires = u->token[k].expires;
		}
	}
	return found;
}

static const struct user *
by_certificate(const struct users *us, const char *name)
{
	for (size_t i = 0; i < us->file.n; i++)
		for (size_t k = 0; k < us->file.user[i].ncertificates; k++)
			if (strcmp(us->file.user[i].certificate[k], name) == 0)
				return &us->file.user[i];
	return NULL;
}

bool
proof_has_expired(const struct proof *p)
{
	return p->expires != 0 && clock_wall_s() >= (double)p->expires;
}

static enum status
find(const struct users *us, struct proof *p, uid_t *uid, struct fault *why)
{
	const struct user	*u = p->kind == PROOF_TOKEN ? by_token(us, p, &p->expires) :
				    by_certificate(us, p->name);

	if (u == NULL && p->kind == PROOF_TOKEN) {
		(void)fault_set(why, ST_DENIED, "nobody has this token");
		fault_hint(why, "it may have been taken back; ask the operator for a new one");
		return ST_DENIED;
	}
	if (u == NULL) {
		(void)fault_set(why, ST_DENIED, "no user has the certificate of \"%s\"", p->name);
		fault_hint(why, "the operator adds cert=\"%s\" to a line of users.conf", p->name);
		return ST_DENIED;
	}
	if (proof_has_expired(p)) {
		(void)fault_set(why, ST_DENIED, "this %s of %s has expired",
		    p->kind == PROOF_TOKEN ? "token" : "certificate", u->name);
		fault_hint(why, "ask the operator for a new one");
		return ST_DENIED;
	}
	*uid = u->uid;
	return ST_OK;
}

enum status
users_find(struct users *us, struct proof *p, uid_t *uid, struct fault *why)
{
	enum status	st;

	*uid = USER_NOBODY;
	if (us == NULL || p->kind == PROOF_NONE)
		return fault_set(why, ST_DENIED, "you have not said who you are");
	(void)pthread_mutex_lock(&us->lock);
	st = find(us, p, uid, why);
	(void)pthread_mutex_unlock(&us->lock);
	return st;
}
