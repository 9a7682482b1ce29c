/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/agent/maps.h"

enum { TEXT_BYTES = 256 << 10 };

/* One line: "55d1c0000000-55d1c0001000 r-xp 00000000 fe:00 1234    /usr/bin/thing". */
struct mapping {
	uint64_t	 at, end;
	char		 mode[5];
	const char	*path;			/* "" for none */
};

static bool
parse_line(char *line, struct mapping *m)
{
	char	*at = line;

	m->at = strtoull(at, &at, 16);
	if (*at++ != '-')
		return false;
	m->end = strtoull(at, &at, 16);
	if (*at++ != ' ' || strlen(at) < sizeof m->mode)
		return false;
	memcpy(m->mode, at, sizeof m->mode - 1);
	m->mode[sizeof m->mode - 1] = '\0';
	m->path = strpbrk(at, "/[");
	if (m->path == NULL)
		m->path = "";
	return m->at < m->end;
}

static bool
is_kernels(const struct mapping *m)
{
	return strncmp(m->path, "[vvar", 5) == 0 || strcmp(m->path, "[vsyscall]") == 0 ||
	    strcmp(m->path, "[vdso]") == 0;
}

/* "ld-linux-x86-64.so.2" or "ld-2.31.so". */
static bool
is_loader(const struct mapping *m)
{
	const char	*name = strrchr(m->path, '/');

	return name != NULL && (strncmp(name, "/ld-", 4) == 0 || strncmp(name, "/ld.so", 6) == 0);
}

/* The loader's own variables that begin as zero follow on its file without a gap. */
static uint32_t
flags_of(const struct mapping *m, const struct image_segment *before)
{
	if (strcmp(m->path, "[stack]") == 0)
		return IMAGE_STACK;
	if (is_loader(m) || (m->path[0] == '\0' && before != NULL &&
	    (before->flags & IMAGE_LOADER) && before->at + before->bytes == m->at))
		return IMAGE_LOADER;
	return 0;
}

/*
 * Memory that is writable and executable becomes writable alone: a restarted image may have no
 * memory that is both.
 */
static uint32_t
protection_of(const struct mapping *m)
{
	uint32_t	p = IMAGE_READ;

	if (m->mode[1] == 'w')
		return p | IMAGE_WRITE;
	return m->mode[2] == 'x' ? p | IMAGE_EXEC : p;
}

int
maps_parse(char *text, struct image_segment *to, uint32_t most, struct image_header *h)
{
	struct mapping	 m;
	uint32_t	 n = 0;
	char		*rest = text;

	for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
		if (*line == '\0' || !parse_line(line, &m))
			continue;
		if (strcmp(m.path, "[vdso]") == 0) {
			h->vdso_at = m.at;
			h->vdso_bytes = m.end - m.at;
		}
		if (is_kernels(&m) || m.mode[0] != 'r')
			continue;
		if (m.mode[3] == 's' && m.mode[1] == 'w')
			return -ENOTSUP;
		if (n == most)
			return -E2BIG;
		to[n] = (struct image_segment){ .at = m.at, .bytes = m.end - m.at,
		    .protection = protection_of(&m),
		    .flags = flags_of(&m, n > 0 ? &to[n - 1] : NULL) };
		n++;
	}
	return (int)n;
}

int
maps_read(struct image_segment *to, uint32_t most, struct image_header *h)
{
	static char	text[TEXT_BYTES];
	int		fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t		used = 0;
	ssize_t		n;

	if (fd < 0)
		return -errno;
	while (used < sizeof text - 1 && (n = read(fd, text + used, sizeof text - 1 - used)) > 0)
		used += (size_t)n;
	close(fd);
	if (used == sizeof text - 1)
		return -E2BIG;
	text[used] = '\0';
	return maps_parse(text, to, most, h);
}
