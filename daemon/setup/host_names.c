/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "daemon/setup/host_names.h"
#include "proto/base/clock.h"

enum { MAX_NAMES = 1024, KEPT_S = 60, PASSWD_BYTES = 16 << 10 };

struct host_name {
	uid_t		 uid;
	double		 asked_s;		/* monotonic */
	char		 name[USER_NAME_BYTES];	/* "": it has none that can be shown */
	UT_hash_handle	 hh;
};

struct host_names {
	pthread_mutex_t		 lock;		/* of all that follows */
	struct host_name	*by_uid;	/* owned */
	unsigned		 holders;	/* the owner and the thread; freed with the last */
	bool			 is_asking;	/* the thread is under way */
	uid_t			 asked;		/* by it */
};

/* ---- what the host says ---- */

/* It can stand in JSON and in a line of the log as it is. */
static bool
can_be_shown(const char *name)
{
	const size_t	n = strlen(name);

	for (size_t i = 0; i < n; i++)
		if (name[i] <= ' ' || name[i] > '~' || name[i] == '"' || name[i] == '\\')
			return false;
	return n > 0 && n < USER_NAME_BYTES;
}

static void
take_name(char name[USER_NAME_BYTES], const struct passwd *pw)
{
	name[0] = '\0';
	if (can_be_shown(pw->pw_name))
		(void)snprintf(name, USER_NAME_BYTES, "%s", pw->pw_name);
}

/* By name or, if that is NULL, by uid.  *pw points into buf.  false: the file has no such user. */
static bool
read_file(const char *name, uid_t uid, struct passwd *pw, char buf[PASSWD_BYTES])
{
	FILE		*f = fopen("/etc/passwd", "re");
	struct passwd	*one = NULL;
	bool		 found = false;

	while (f != NULL && !found && fgetpwent_r(f, pw, buf, PASSWD_BYTES, &one) == 0 &&
	    one != NULL)
		found = name != NULL ? strcmp(pw->pw_name, name) == 0 : pw->pw_uid == uid;
	if (f != NULL)
		(void)fclose(f);
	return found;
}

/* false: the file does not have this user. */
static bool
name_of_file(uid_t uid, char name[USER_NAME_BYTES])
{
	char		*buf = malloc(PASSWD_BYTES);
	struct passwd	 pw;
	const bool	 found = buf != NULL && read_file(NULL, uid, &pw, buf);

	if (found)
		take_name(name, &pw);
	free(buf);
	return found;
}

bool
host_names_number(const char *name, uid_t *uid)
{
	char		*buf = malloc(PASSWD_BYTES);
	struct passwd	 pw;
	const bool	 found = buf != NULL && read_file(name, 0, &pw, buf);

	if (found)
		*uid = pw.pw_uid;
	free(buf);
	return found;
}

static void
ask_services(uid_t uid, char name[USER_NAME_BYTES])
{
	char		*buf = malloc(PASSWD_BYTES);
	struct passwd	 pw, *found = NULL;

	name[0] = '\0';
	if (buf != NULL && getpwuid_r(uid, &pw, buf, PASSWD_BYTES, &found) == 0 && found != NULL)
		take_name(name, found);
	free(buf);
}

/* ---- life ---- */

static void
forget_all(struct host_names *n)
{
	struct host_name	*h, *next;

	HASH_ITER(hh, n->by_uid, h, next) {
		HASH_DEL(n->by_uid, h);
		free(h);
	}
}

struct host_names *
host_names_new(void)
{
	struct host_names	*n = calloc(1, sizeof *n);

	if (n == NULL)
		return NULL;
	(void)pthread_mutex_init(&n->lock, NULL);
	n->holders = 1;
	return n;
}

void
host_names_free(struct host_names *n)
{
	bool	is_last;

	if (n == NULL)
		return;
	(void)pthread_mutex_lock(&n->lock);
	is_last = --n->holders == 0;
	(void)pthread_mutex_unlock(&n->lock);
	if (!is_last)
		return;
	forget_all(n);
	(void)pthread_mutex_destroy(&n->lock);
	free(n);
}

void
host_names_ask_again(struct host_names *n)
{
	(void)pthread_mutex_lock(&n->lock);
	for (struct host_name *h = n->by_uid; h != NULL; h = h->hh.next)
		h->asked_s = -KEPT_S;
	(void)pthread_mutex_unlock(&n->lock);
}

/* ---- looking, with the lock ---- */

static struct host_name *
entry_of(struct host_names *n, uid_t uid)
{
	struct host_name	*h;

	HASH_FIND(hh, n->by_uid, &uid, sizeof uid, h);
	if (h != NULL)
		return h;
	if (HASH_COUNT(n->by_uid) >= MAX_NAMES)
		forget_all(n);
	if ((h = calloc(1, sizeof *h)) == NULL)
		return NULL;
	h->uid = uid;
	h->asked_s = -KEPT_S;
	HASH_ADD(hh, n->by_uid, uid, sizeof h->uid, h);
	return h;
}

static void *
ask_on_thread(void *arg)
{
	struct host_names	*n = arg;
	const uid_t		 uid = n->asked;	/* constant while is_asking */
	struct host_name	*h;
	char			 name[USER_NAME_BYTES];

	ask_services(uid, name);
	(void)pthread_mutex_lock(&n->lock);
	n->is_asking = false;
	if ((h = entry_of(n, uid)) != NULL) {
		(void)snprintf(h->name, sizeof h->name, "%s", name);
		h->asked_s = clock_now_s();
	}
	(void)pthread_mutex_unlock(&n->lock);
	host_names_free(n);
	return NULL;
}

/* One user at a time: whoever asks while the thread is under way is asked for at a later call. */
static void
ask_later(struct host_names *n, uid_t uid)
{
	pthread_attr_t	how;
	pthread_t	thread;

	if (n->is_asking || pthread_attr_init(&how) != 0)
		return;
	n->asked = uid;
	n->is_asking = true;
	n->holders++;
	if (pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED) != 0 ||
	    pthread_create(&thread, &how, ask_on_thread, n) != 0) {
		n->is_asking = false;
		n->holders--;
	}
	(void)pthread_attr_destroy(&how);
}

void
host_names_find(struct host_names *n, uid_t uid, char buf[USER_NAME_BYTES])
{
	const double		 now_s = clock_now_s();
	struct host_name	*h;

	buf[0] = '\0';
	(void)pthread_mutex_lock(&n->lock);
	if ((h = entry_of(n, uid)) != NULL) {
		if (now_s - h->asked_s >= KEPT_S && name_of_file(uid, h->name))
			h->asked_s = now_s;
		else if (now_s - h->asked_s >= KEPT_S)
			ask_later(n, uid);
		(void)snprintf(buf, USER_NAME_BYTES, "%s", h->name);
	}
	(void)pthread_mutex_unlock(&n->lock);
}
