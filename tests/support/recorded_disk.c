/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk that remembers.  In the daemon that this is linked with, each change that SQLite makes to
 * the database or its log is written down in the file that ASSAY_DISK names, and each sync; a
 * power cut at any point can be played from that (tests/support/recorded_disk.py).
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <sqlite3.h>

/* One change; `bytes` bytes follow a write. */
struct change {
	char	file, what;		/* 'd' database, 'w' log; 'W' write, 'S' sync, 'T' truncate */
	char	spare[6];
	int64_t	at, bytes;		/* at: the offset, or the size after a truncate */
};

struct file {
	sqlite3_file	 base;
	char		 kind;		/* '\0': neither database nor log */
	sqlite3_file	*real;		/* behind this struct */
};

static sqlite3_vfs	*disk;		/* borrowed; SQLite's own */
static int		 record_fd = -1;

static void
record(const struct file *f, char what, int64_t at, const void *data, int bytes)
{
	struct change	c = { .file = f->kind, .what = what, .at = at, .bytes = bytes };
	struct iovec	v[2] = { { &c, sizeof c }, { (void *)(uintptr_t)data, (size_t)bytes } };

	if (f->kind != '\0' && record_fd >= 0 &&
	    writev(record_fd, v, bytes > 0 ? 2 : 1) != (ssize_t)sizeof c + bytes)
		abort();
}

static sqlite3_file *
real_of(sqlite3_file *f)
{
	return ((struct file *)f)->real;
}

static int
file_close(sqlite3_file *f)
{
	return real_of(f)->pMethods->xClose(real_of(f));
}

static int
file_read(sqlite3_file *f, void *to, int bytes, sqlite3_int64 at)
{
	return real_of(f)->pMethods->xRead(real_of(f), to, bytes, at);
}

static int
file_write(sqlite3_file *f, const void *from, int bytes, sqlite3_int64 at)
{
	record((const struct file *)f, 'W', at, from, bytes);
	return real_of(f)->pMethods->xWrite(real_of(f), from, bytes, at);
}

static int
file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	record((const struct file *)f, 'T', size, NULL, 0);
	return real_of(f)->pMethods->xTruncate(real_of(f), size);
}

/* Noted after it: only then is it a promise. */
static int
file_sync(sqlite3_file *f, int flags)
{
	int	rc = real_of(f)->pMethods->xSync(real_of(f), flags);

	if (rc == SQLITE_OK)
		record((const struct file *)f, 'S', 0, NULL, 0);
	return rc;
}

static int
file_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return real_of(f)->pMethods->xFileSize(real_of(f), size);
}

static int
file_lock(sqlite3_file *f, int level)
{
	return real_of(f)->pMethods->xLock(real_of(f), level);
}

static int
file_unlock(sqlite3_file *f, int level)
{
	return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int
file_is_reserved(sqlite3_file *f, int *out)
{
	return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int
file_control(sqlite3_file *f, int what, void *arg)
{
	return real_of(f)->pMethods->xFileControl(real_of(f), what, arg);
}

static int
file_sector(sqlite3_file *f)
{
	return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int
file_traits(sqlite3_file *f)
{
	return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int
file_map(sqlite3_file *f, int region, int bytes, int extend, void volatile **out)
{
	return real_of(f)->pMethods->xShmMap(real_of(f), region, bytes, extend, out);
}

static int
file_shared_lock(sqlite3_file *f, int from, int n, int flags)
{
	return real_of(f)->pMethods->xShmLock(real_of(f), from, n, flags);
}

static void
file_barrier(sqlite3_file *f)
{
	real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int
file_unmap(sqlite3_file *f, int delete_it)
{
	return real_of(f)->pMethods->xShmUnmap(real_of(f), delete_it);
}

static const sqlite3_io_methods	methods = {
	2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock,
	file_unlock, file_is_reserved, file_control, file_sector, file_traits, file_map,
	file_shared_lock, file_barrier, file_unmap, NULL, NULL,
};

static int
disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *out, int flags, int *got)
{
	struct file	*f = (struct file *)out;
	int		 rc;

	(void)vfs;
	f->real = (sqlite3_file *)(f + 1);
	f->kind = (flags & SQLITE_OPEN_MAIN_DB) != 0 ? 'd' : (flags & SQLITE_OPEN_WAL) != 0 ? 'w' :
	    '\0';
	rc = disk->xOpen(disk, name, f->real, flags, got);
	f->base.pMethods = f->real->pMethods != NULL ? &methods : NULL;
	return rc;
}

/* Before main: the first VFS to be registered as the default is the one that all connections get. */
__attribute__((constructor)) static void
replace_disk(void)
{
	static sqlite3_vfs	recorded;
	const char		*path = getenv("ASSAY_DISK");

	if (path != NULL)
		record_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	disk = sqlite3_vfs_find(NULL);
	recorded = *disk;
	recorded.zName = "recorded";
	recorded.szOsFile = (int)sizeof(struct file) + disk->szOsFile;
	recorded.xOpen = disk_open;
	(void)sqlite3_vfs_register(&recorded, 1);
}
