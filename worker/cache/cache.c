/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "worker/cache/cache.h"
#include "worker/cache/seal.h"

enum {
	PATH_BYTES	= 4096,
	RECOUNT_PUTS	= 64,	/* puts between two counts: other builders add objects, too */
};

#if defined(__x86_64__)
#define HOST_MACHINE	EM_X86_64
#elif defined(__aarch64__)
#define HOST_MACHINE	EM_AARCH64
#else
#error "which ELF machine is this?"
#endif

struct cache {
	char		 dir[PATH_BYTES - HASH_HEX - 16];
	uint64_t	 limit_bytes, bytes;
	unsigned	 puts;
};

/* One object found in the cache's directories. */
struct entry {
	char		 name[HASH_HEX + 8];	/* "abcd….so" */
	uint64_t	 bytes;
	struct timespec	 used;
};

struct listing {
	struct entry	*entries;	/* owned */
	size_t		 n, room;
	uint64_t	 bytes;
};

/* ---- one object ---- */

static void
object_path(const char *dir, const char *hex, char *buf, size_t bytes)
{
	(void)snprintf(buf, bytes, "%s/%.2s/%s.so", dir, hex, hex);
}

/*
 * Linkers and assemblers put the section headers last.  So headers beyond the end show that the
 * file was cut short: power was lost before its data reached the disk.
 */
bool
cache_is_object(const void *start, size_t start_bytes, uint64_t bytes, unsigned elf_type)
{
	Elf64_Ehdr	h;

	if (start_bytes < sizeof h)
		return false;
	memcpy(&h, start, sizeof h);
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_type != elf_type || h.e_machine != HOST_MACHINE)
		return false;
	return h.e_shoff <= bytes && (uint64_t)h.e_shnum * h.e_shentsize <= bytes - h.e_shoff;
}

/* A linked one: a program may be either. */
static bool
is_linked(int fd, uint64_t bytes)
{
	char	start[sizeof (Elf64_Ehdr)];
	ssize_t	n = pread(fd, start, sizeof start, 0);

	return n > 0 && (cache_is_object(start, (size_t)n, bytes, ET_DYN) ||
	    cache_is_object(start, (size_t)n, bytes, ET_EXEC));
}

static bool
is_object_file(int fd, struct stat *sb)
{
	return fstat(fd, sb) == 0 && S_ISREG(sb->st_mode) &&
	    is_linked(fd, (uint64_t)sb->st_size);
}

/* A descriptor open for reading; -1: not there, or not an object with its seal. */
static int
open_object(const char *path, struct stat *sb)
{
	int	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd == -1)
		return -1;
	if (is_object_file(fd, sb) && seal_is_there(fd, (uint64_t)sb->st_size))
		return fd;
	close(fd);
	return -1;
}

bool
artifact_path(const char *cache_dir, const struct hash *hash, char *buf, size_t bytes)
{
	struct stat	sb;
	bool		holds;
	int		fd;

	if (hash->hex[0] == '\0')
		return false;
	object_path(cache_dir, hash->hex, buf, bytes);
	if ((fd = open_object(buf, &sb)) == -1)
		return false;
	holds = seal_holds(fd, (uint64_t)sb.st_size);
	close(fd);
	if (!holds) {			/* a builder would find it again */
		(void)fprintf(stderr, "error cache=%s the object is damaged: removed\n", buf);
		(void)unlink(buf);
	}
	return holds;
}

bool
cache_has(struct cache *c, const struct hash *hash)
{
	char		path[PATH_BYTES];
	struct stat	sb;
	int		fd;

	object_path(c->dir, hash->hex, path, sizeof path);
	if ((fd = open_object(path, &sb)) == -1)
		return false;
	if (sb.st_mtime != time(NULL))		/* eviction order needs seconds only */
		(void)futimens(fd, NULL);
	close(fd);
	return true;
}

void
cache_drop(struct cache *c, const struct hash *hash)
{
	char	path[PATH_BYTES];

	object_path(c->dir, hash->hex, path, sizeof path);
	(void)unlink(path);
}

/* ---- all of them ---- */

static bool
listing_add(struct listing *l, const char *name, const struct stat *sb)
{
	struct entry	*e;

	if (l->n == l->room) {
		size_t	room = l->room == 0 ? 256 : 2 * l->room;

		if ((e = realloc(l->entries, room * sizeof *e)) == NULL)
			return false;
		l->entries = e;
		l->room = room;
	}
	e = &l->entries[l->n++];
	(void)snprintf(e->name, sizeof e->name, "%.*s", (int)sizeof e->name - 1, name);
	e->bytes = (uint64_t)sb->st_size;
	e->used = sb->st_mtim;
	l->bytes += e->bytes;
	return true;
}

static bool
is_object_name(const char *name)
{
	return strspn(name, "0123456789abcdef") == HASH_HEX && strcmp(name + HASH_HEX, ".so") == 0;
}

/* "new.PID.HASH" of a builder that is gone: a copy that was never finished. */
static bool
is_left_over(const char *name)
{
	int	pid;

	return sscanf(name, "new.%d.", &pid) == 1 &&
	    (pid == getpid() || (kill(pid, 0) == -1 && errno == ESRCH));
}

static bool
list_directory(struct listing *l, const char *path)
{
	DIR		*d = opendir(path);
	struct dirent	*e;
	struct stat	 sb;
	bool		 ok = true;

	if (d == NULL)
		return true;
	while (ok && (e = readdir(d)) != NULL)
		if (is_object_name(e->d_name) && fstatat(dirfd(d), e->d_name, &sb,
		    AT_SYMLINK_NOFOLLOW) == 0)
			ok = listing_add(l, e->d_name, &sb);
	closedir(d);
	return ok;
}

static enum status
list_all(struct listing *l, const char *dir, struct fault *why)
{
	char	path[PATH_BYTES];

	*l = (struct listing){ 0 };
	for (unsigned i = 0; i < 256; i++) {
		(void)snprintf(path, sizeof path, "%s/%02x", dir, i);
		if (!list_directory(l, path)) {
			free(l->entries);
			return fault_set(why, ST_NOMEM, "%s: too many objects to list", dir);
		}
	}
	return ST_OK;
}

static int
by_age(const void *a, const void *b)
{
	const struct entry	*x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	if (x->used.tv_nsec != y->used.tv_nsec)
		return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

/*
 * Count all objects.  Past the limit, remove the least recently used until a tenth of the limit is
 * free; the object named `keep` stays.
 */
static void
make_room(struct cache *c, const char *keep)
{
	const uint64_t	wanted = c->limit_bytes - c->limit_bytes / 10;
	struct listing	l;
	char		path[PATH_BYTES];

	c->puts = 0;
	if (list_all(&l, c->dir, NULL) != ST_OK)
		return;
	c->bytes = l.bytes;
	if (c->bytes > c->limit_bytes) {
		qsort(l.entries, l.n, sizeof *l.entries, by_age);
		for (size_t i = 0; i < l.n && c->bytes > wanted; i++) {
			if (strncmp(l.entries[i].name, keep, HASH_HEX) == 0)
				continue;
			(void)snprintf(path, sizeof path, "%s/%.2s/%s", c->dir, l.entries[i].name,
			    l.entries[i].name);
			if (unlink(path) == 0 || errno == ENOENT)
				c->bytes -= l.entries[i].bytes;
		}
	}
	free(l.entries);
}

static void
remove_left_overs(const char *dir)
{
	DIR		*d = opendir(dir);
	struct dirent	*e;

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL)
		if (is_left_over(e->d_name))
			(void)unlinkat(dirfd(d), e->d_name, 0);
	closedir(d);
}

enum status
cache_open(struct cache **out, const char *dir, uint64_t limit_bytes, struct fault *why)
{
	struct cache	*c;

	*out = NULL;
	if (strlen(dir) >= sizeof c->dir)
		return fault_set(why, ST_IO, "%.80s…: the path is too long", dir);
	if (mkdir(dir, 0755) == -1 && errno != EEXIST)
		return fault_set(why, ST_IO, "%s: %s", dir, strerror(errno));
	if ((c = calloc(1, sizeof *c)) == NULL)
		return fault_set(why, ST_NOMEM, "cache");
	(void)snprintf(c->dir, sizeof c->dir, "%s", dir);
	c->limit_bytes = limit_bytes;
	remove_left_overs(dir);
	make_room(c, "");
	*out = c;
	return ST_OK;
}

void
cache_free(struct cache *c)
{
	free(c);
}

uint64_t
cache_bytes(const struct cache *c)
{
	return c->bytes;
}

/* ---- putting ---- */

static enum status
write_all(int to, const char *bytes, size_t n, const char *name, struct fault *why)
{
	ssize_t	w;

	for (size_t done = 0; done < n; done += (size_t)w)
		if ((w = write(to, bytes + done, n - done)) <= 0)
			return fault_set(why, ST_IO, "%s: %s", name, strerror(errno));
	return ST_OK;
}

static enum status
copy_bytes(struct digest *sum, int from, int to, const char *name, struct fault *why)
{
	static char	buf[64 << 10];
	ssize_t		n;

	while ((n = read(from, buf, sizeof buf)) > 0) {
		digest_more(sum, buf, (size_t)n);
		if (write_all(to, buf, (size_t)n, name, why) != ST_OK)
			return ST_IO;
	}
	return n == 0 ? ST_OK : fault_set(why, ST_IO, "reading what was built: %s",
	    strerror(errno));
}

static enum status
copy_sealed(int from, int to, const char *name, struct fault *why)
{
	char		 seal[SEAL_BYTES];
	struct digest	*d;
	struct hash	 sum;
	enum status	 st = digest_new(&d, why);

	if (st != ST_OK)
		return st;
	st = copy_bytes(d, from, to, name, why);
	if (digest_end(d, &sum) != ST_OK && st == ST_OK)
		st = fault_set(why, ST_INTERNAL, "SHA-256");
	if (st != ST_OK)
		return st;
	seal_make(&sum, seal);
	return write_all(to, seal, sizeof seal, name, why);
}

/* -1.  A cache that was removed under us is made again. */
static int
create(const struct cache *c, const char *path)
{
	const int	flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
	const int	fd = open(path, flags, 0644);

	if (fd != -1 || errno != ENOENT || mkdir(c->dir, 0755) == -1)
		return fd;
	return open(path, flags, 0644);
}

/* Write a temporary copy at the top and rename it into its directory: no reader sees half of it. */
static enum status
put_copy(struct cache *c, const struct hash *hash, int from, struct fault *why)
{
	char		tmp[PATH_BYTES], path[PATH_BYTES];
	enum status	st;
	int		to;

	(void)snprintf(tmp, sizeof tmp, "%s/new.%d.%.16s", c->dir, (int)getpid(), hash->hex);
	if ((to = create(c, tmp)) == -1)
		return fault_set(why, ST_IO, "%s: %s", tmp, strerror(errno));
	st = copy_sealed(from, to, tmp, why);
	if (close(to) == -1 && st == ST_OK)
		st = fault_set(why, ST_IO, "%s: %s", tmp, strerror(errno));
	(void)snprintf(path, sizeof path, "%s/%.2s", c->dir, hash->hex);
	if (st == ST_OK && mkdir(path, 0755) == -1 && errno != EEXIST)
		st = fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	object_path(c->dir, hash->hex, path, sizeof path);
	if (st == ST_OK && rename(tmp, path) == -1)
		st = fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if (st != ST_OK)
		(void)unlink(tmp);
	return st;
}

enum status
cache_put(struct cache *c, const struct hash *hash, int fd, struct fault *why)
{
	struct stat	sb;
	enum status	st;

	if (fstat(fd, &sb) == 0 && sb.st_size > ARTIFACT_MAX_BYTES)
		return fault_set(why, ST_BUILD_LIMIT,
		    "the built object has %lld bytes, more than %d", (long long)sb.st_size,
		    ARTIFACT_MAX_BYTES);
	if (!is_object_file(fd, &sb) || lseek(fd, 0, SEEK_SET) == -1)
		return fault_set(why, ST_LOAD_FAILED,
		    "not a shared object or program for this machine");
	st = put_copy(c, hash, fd, why);
	if (st != ST_OK)
		return st;
	c->bytes += (uint64_t)sb.st_size + SEAL_BYTES;
	if (++c->puts >= RECOUNT_PUTS || c->bytes > c->limit_bytes)
		make_room(c, hash->hex);
	return ST_OK;
}
