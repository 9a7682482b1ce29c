/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image's memory, at the application's addresses: its first contents, and what calls made of
 * them.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/runner/image/image_parts.h"
#include "worker/runner/sample/flush.h"

/* below what the application's stack had grown to */
#define STACK_MORE	((uint64_t)1 << 20)

/* ---- mapping it ---- */

static enum rt_image_state
map_at(uint64_t at, uint64_t bytes, int protection, int fd, uint64_t offset, const char **why)
{
	void	*wanted = (void *)(uintptr_t)at, *got;
	int	 how = MAP_PRIVATE | MAP_FIXED_NOREPLACE | (fd < 0 ? MAP_ANONYMOUS : 0);

	got = mmap(wanted, bytes, protection, how, fd, fd < 0 ? 0 : (off_t)offset);
	if (got == wanted)
		return RT_IMAGE_OK;
	if (got != MAP_FAILED)
		munmap(got, bytes);		/* a kernel before 4.17 */
	*why = got != MAP_FAILED || errno == EEXIST ? "its addresses are taken in the runner" :
	    errno == ENOMEM ? "there is no memory for it" :
	    "a piece of its memory cannot be mapped";
	return got != MAP_FAILED || errno == EEXIST ? RT_IMAGE_CLASH : RT_IMAGE_BAD;
}

/* A stack may go deeper than it had been, as far as nothing else is there. */
static void
deepen(const struct image *m, uint32_t i)
{
	uint64_t	 at = m->segment[i].at;
	uint64_t	 free_from = i > 0 ?
			    m->segment[i - 1].at + m->segment[i - 1].bytes + IMAGE_PAGE :
			    IMAGE_PAGE;
	const char	*why;

	if (at - STACK_MORE > free_from && at > STACK_MORE)
		(void)map_at(at - STACK_MORE, STACK_MORE, PROT_READ | PROT_WRITE, -1, 0, &why);
}

static enum rt_image_state
map_all(const struct image *m, int fd, const char **why)
{
	const struct image_header	*h = m->header;
	enum rt_image_state		 st = RT_IMAGE_OK;

	for (uint32_t i = 0; i < h->segments && st == RT_IMAGE_OK; i++) {
		const struct image_segment	*s = &m->segment[i];

		st = map_at(s->at, s->bytes, (int)s->protection, fd, s->offset, why);
		if (s->flags & IMAGE_STACK)
			deepen(m, i);
	}
	if (st != RT_IMAGE_OK || h->vdso_bytes == 0)
		return st;
	if ((st = map_at(h->vdso_at, h->vdso_bytes, PROT_READ | PROT_WRITE, -1, 0,
	    why)) != RT_IMAGE_OK)
		return st;
	return (*why = rt_image_make_clocks(h)) == NULL ? RT_IMAGE_OK : RT_IMAGE_BAD;
}

enum rt_image_state
rt_image_open(struct rt_image *m, const char *path, const char **why)
{
	int			 fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat		 st;
	void			*bytes = MAP_FAILED;
	enum rt_image_state	 state = RT_IMAGE_BAD;

	*why = "it cannot be read";
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes != MAP_FAILED) {
		m->bytes = (uint64_t)st.st_size;
		if ((*why = image_parse(&m->file, bytes, m->bytes)) == NULL)
			state = map_all(&m->file, fd, why);
		if (state == RT_IMAGE_OK)
			rt_image_use(m);
	}
	if (fd >= 0)
		close(fd);
	return state;
}

/* ---- its memory ---- */

static char *
memory_of(const struct image_segment *s)
{
	return (char *)(uintptr_t)s->at;
}

void
rt_image_enter(const struct rt_image *m)
{
	for (uint32_t i = 0; i < m->file.header->segments; i++) {
		const struct image_segment	*s = &m->file.segment[i];

		for (uint64_t at = 0; at < s->bytes; at += IMAGE_PAGE) {
			volatile char	*byte = memory_of(s) + at;
			char		 c = *byte;

			if (s->protection & IMAGE_WRITE)
				*byte = c;
			c = *(const volatile char *)(m->file.bytes + s->offset + at);
		}
	}
}

void
rt_image_restore(const struct rt_image *m)
{
	for (uint32_t i = 0; i < m->file.header->segments; i++) {
		const struct image_segment	*s = &m->file.segment[i];
		const char			*first = m->file.bytes + s->offset;

		for (uint64_t at = 0; (s->protection & IMAGE_WRITE) && at < s->bytes;
		    at += IMAGE_PAGE)
			if (memcmp(memory_of(s) + at, first + at, IMAGE_PAGE) != 0)
				memcpy(memory_of(s) + at, first + at, IMAGE_PAGE);
	}
}

void
rt_image_flush(const struct rt_image *m, uint32_t line_bytes)
{
	for (uint32_t i = 0; i < m->file.header->segments; i++) {
		const struct image_segment	*s = &m->file.segment[i];
		struct rt_range			 all = rt_range_of(memory_of(s), s->bytes, 1, 1);

		if (!(s->protection & IMAGE_EXEC))
			rt_flush_lines(&all, line_bytes);
	}
}

uint64_t
rt_image_lines(const struct rt_image *m, uint32_t line_bytes)
{
	uint64_t	bytes = 0;

	for (uint32_t i = 0; i < m->file.header->segments; i++)
		if (!(m->file.segment[i].protection & IMAGE_EXEC))
			bytes += m->file.segment[i].bytes;
	return bytes / line_bytes;
}

const char *
rt_image_line(const struct rt_image *m, uint32_t line_bytes, uint64_t n)
{
	const struct image_segment	*s = m->file.segment;

	for (; s->protection & IMAGE_EXEC || n >= s->bytes / line_bytes; s++)
		if (!(s->protection & IMAGE_EXEC))
			n -= s->bytes / line_bytes;
	return memory_of(s) + n * line_bytes;
}

rt_code *
rt_image_routine(const struct rt_image *m)
{
	return (rt_code *)(uintptr_t)m->file.header->routine;
}

void
rt_image_add_code(const struct rt_image *m, struct rt_code_lines *lines)
{
	const struct image_header	*h = m->file.header;

	for (uint32_t i = 0; i < h->segments; i++) {
		const struct image_segment	*s = &m->file.segment[i];

		if (h->routine - s->at < s->bytes)
			rt_code_lines_add(lines, (const void *)(uintptr_t)s->at, s->bytes);
	}
}

/* The pointers that lead to us are as they were first. */
static void
forget_hooks(const struct image_header *h)
{
	*(uint64_t *)(uintptr_t)h->entry_at = h->routine;
	*(uint64_t *)(uintptr_t)h->stop_at = 0;
}

int
rt_image_put(const struct rt_image *m, uint32_t result_bytes, char *to, uint64_t bytes)
{
	const uint64_t	calls = rt_image_calls();
	const uint64_t	logged = calls < RUNNER_CALLS ? calls : RUNNER_CALLS;
	uint64_t	at = RUNNER_MEMORY_AT(result_bytes);

	if (at > bytes || image_compared_bytes(&m->file) > bytes - at ||
	    result_bytes > RT_MAX_RESULT)
		return 0;
	forget_hooks(m->file.header);
	memcpy(to, &calls, sizeof calls);
	for (uint64_t i = 0; i < logged; i++)
		memcpy(to + RUNNER_RESULTS_AT + i * result_bytes, rt_image_result(i), result_bytes);
	for (uint32_t i = 0; i < m->file.header->segments; i++) {
		const struct image_segment	*s = &m->file.segment[i];

		if (!image_is_compared(s))
			continue;
		memcpy(to + at, memory_of(s), s->bytes);
		at += s->bytes;
	}
	return 1;
}
