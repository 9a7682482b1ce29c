/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "daemon/store/store_files.h"
#include "daemon/store/store_impl.h"
#include "daemon/store/store_lock.h"

static const char	wal_suffix[] = "-wal";

/* Of the database or, with a suffix, of the file beside it. false: there is none. */
static bool
look(const struct store *s, const char *suffix, struct stat *sb)
{
	char	path[4200];

	(void)snprintf(path, sizeof path, "%s%s", s->path, suffix);
	return stat(path, sb) == 0;
}

static void
see(const struct store *s, const char *suffix, struct store_file_id *id)
{
	struct stat	sb;

	if (look(s, suffix, &sb))
		*id = (struct store_file_id){ sb.st_dev, sb.st_ino };
}

static bool
is_same(const struct store *s, const char *suffix, const struct store_file_id *id)
{
	struct stat	sb;

	return id->inode == 0 || (look(s, suffix, &sb) && sb.st_dev == id->device &&
	    sb.st_ino == id->inode);
}

bool
store_is_there(const struct store *s, struct fault *why)
{
	const char	*lost = NULL;

	if (!is_same(s, "", &s->main_file))
		lost = "";
	else if (!is_same(s, wal_suffix, &s->wal_file))
		lost = wal_suffix;
	if (lost == NULL)
		return true;
	(void)fault_set(why, ST_IO, "%s%s was removed or replaced while the daemon runs", s->path,
	    lost);
	fault_hint(why, "save what the daemon holds with a backup, then restart it");
	return false;
}

/* The log beside the database appears with the first write. */
enum status
store_still_there(struct store *s, struct fault *why)
{
	if (s->main_file.inode == 0)
		see(s, "", &s->main_file);
	if (s->wal_file.inode == 0)
		see(s, wal_suffix, &s->wal_file);
	return store_is_there(s, why) ? ST_OK : ST_IO;
}

void
store_note_commit(struct store *s, enum status st, const struct fault *why)
{
	s->is_failing = st != ST_OK;
	if (s->is_failing)
		s->failure = *why;
}

bool
store_takes_commits(const struct store *s, struct fault *why)
{
	struct fault	local;

	if (s->is_failing && why != NULL)
		*why = s->failure;
	else if (s->is_locked)
		(void)store_say_locked(s, why != NULL ? why : &local);
	return !s->is_failing && !s->is_locked;
}

/* The version is written again as it is: that changes a page, so it needs the disk. */
enum status
store_probe(struct store *s, struct fault *why)
{
	char		text[64];
	int		version = store_version(s);
	enum status	st;

	if (s->open_group)
		return store_commit(s, why);
	if ((st = store_still_there(s, why)) == ST_OK) {
		(void)snprintf(text, sizeof text, "PRAGMA user_version = %d", version);
		if (version < 0 || sqlite3_exec(s->db, text, NULL, NULL, NULL) != SQLITE_OK)
			st = store_fault(s, why, "a trial write");
	}
	store_note_commit(s, st, why);
	return st;
}

void
store_files(const struct store *s, struct store_files *out)
{
	struct stat	sb;
	struct statvfs	fs;

	out->database_bytes = look(s, "", &sb) ? (int64_t)sb.st_size : 0;
	out->wal_bytes = look(s, wal_suffix, &sb) ? (int64_t)sb.st_size : 0;
	out->free_bytes = statvfs(s->path, &fs) == 0 ?
	    (int64_t)fs.f_bavail * (int64_t)fs.f_frsize : -1;
}
