/* SPDX-License-Identifier: Apache-2.0 */
/* A database of an older version: a copy of it is made, then the migrations run. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/migrations.h"
#include "daemon/store/store_care.h"
#include "daemon/store/store_files.h"
#include "daemon/store/store_impl.h"
#include "proto/base/log.h"

enum { PATH_BYTES = 4200 };

/* ---- the copy ---- */

/* Room for the copy, and for what the migrations write. */
static enum status
check_room(const struct store *s, const char *copy, struct fault *why)
{
	struct store_files	f;
	int64_t			need_bytes;

	store_files(s, &f);
	need_bytes = 2 * (f.database_bytes + f.wal_bytes);
	if (f.free_bytes < 0 || f.free_bytes >= need_bytes)
		return ST_OK;
	(void)fault_set(why, ST_IO, "%s: no room for a copy before the migration: %lld MiB are "
	    "free, it needs %lld", copy, (long long)f.free_bytes >> 20,
	    ((long long)need_bytes >> 20) + 1);
	fault_hint(why, "make room there, or move the database to a larger disk; it is unchanged");
	return ST_IO;
}

/* Under its name once it is complete: a copy that a power cut ended is made anew. */
static enum status
copy_whole(struct store *s, const char *copy, struct fault *why)
{
	char		part[PATH_BYTES + 8];
	enum status	st;

	(void)snprintf(part, sizeof part, "%s.part", copy);
	(void)unlink(part);
	if ((st = store_backup(s, part, why)) != ST_OK)
		return st;
	if (rename(part, copy) == 0)
		return ST_OK;
	st = fault_set(why, ST_IO, "%s: %s", copy, strerror(errno));
	(void)unlink(part);
	return st;
}

/* A copy of an earlier start stays: it is nearer to what the older version wrote. */
static enum status
keep_copy(struct store *s, int version, struct fault *why)
{
	char		copy[PATH_BYTES];
	enum status	st;

	(void)snprintf(copy, sizeof copy, "%s.v%d", s->path, version);
	if (access(copy, F_OK) == 0) {
		log_info("store=%s version=%d copy=%s is there already, and stays", s->path,
		    version, copy);
		return ST_OK;
	}
	if ((st = check_room(s, copy, why)) != ST_OK)
		return st;
	if ((st = copy_whole(s, copy, why)) != ST_OK) {
		fault_hint(why, "the database is unchanged; make a copy possible, and start again");
		return st;
	}
	log_info("store=%s version=%d copy=%s made before the migration", s->path, version, copy);
	return ST_OK;
}

/* ---- migrations ---- */

/* Each migration and its version number are written together or not at all. */
static enum status
migrate(struct store *s, int from, struct fault *why)
{
	for (int v = from; migrations[v] != NULL; v++) {
		char	 bump[64];

		(void)snprintf(bump, sizeof bump, "PRAGMA user_version = %d", v + 1);
		if (sqlite3_exec(s->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(s->db, migrations[v], NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(s->db, bump, NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
			(void)store_fault(s, why, "migration");
			(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
			return ST_IO;
		}
	}
	return ST_OK;
}

enum status
store_upgrade(struct store *s, struct fault *why)
{
	int		version = store_version(s), newest = 0;
	enum status	st = ST_OK;

	while (migrations[newest] != NULL)
		newest++;
	if (version < 0)
		return store_fault(s, why, "reading its version");
	if (version > newest)
		return fault_set(why, ST_CONFLICT,
		    "%s has version %d, this assayd knows only %d: use the newer assayd", s->path,
		    version, newest);
	if (version > 0 && version < newest)
		st = keep_copy(s, version, why);
	if (st == ST_OK && (st = migrate(s, version, why)) == ST_OK)
		log_info("store=%s version=%d found=%d", s->path, newest, version);
	return st;
}
