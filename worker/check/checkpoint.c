/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proto/wire/runner_shm.h"
#include "worker/cache/digest.h"
#include "worker/check/checkpoint.h"

#define MEMBER		"spec.checkpoint"
#define COPY_BYTES	((size_t)1 << 20)

void
checkpoint_init(struct checkpoint *c)
{
	*c = (struct checkpoint){ .fd = -1 };
}

void
checkpoint_release(struct checkpoint *c)
{
	if (c->map != NULL)
		munmap(c->map, c->bytes);
	if (c->fd >= 0)
		close(c->fd);
	checkpoint_init(c);
}

static enum status
refuse(struct fault *why, const char *name, const char *words, const char *remedy)
{
	(void)fault_at(why, ST_BAD_SPEC, MEMBER, "the image %s: %s", name, words);
	fault_hint(why, "%s", remedy);
	return ST_BAD_SPEC;
}

/* A copy of the file as it is now: later writes to it change nothing. */
static enum status
copy(struct checkpoint *c, int from, const char *name, struct fault *why)
{
	char		*buffer = malloc(COPY_BYTES);
	struct digest	*d = NULL;
	ssize_t		 n = -1;
	enum status	 st;

	if (buffer == NULL || (st = digest_new(&d, why)) != ST_OK) {
		free(buffer);
		return fault_set(why, ST_INTERNAL, "no memory to read the image");
	}
	while ((n = read(from, buffer, COPY_BYTES)) > 0 && write(c->fd, buffer, (size_t)n) == n) {
		digest_more(d, buffer, (size_t)n);
		c->bytes += (uint64_t)n;
	}
	free(buffer);
	st = digest_end(d, &c->digest);
	if (n != 0)
		return refuse(why, name, strerror(errno),
		    "give the daemon's user the right to read it");
	return st == ST_OK ? ST_OK : fault_set(why, ST_INTERNAL, "SHA-256 failed");
}

static const char *
why_not_here(const struct image *m)
{
#if defined(__x86_64__)
	struct image_cpu	here;

	image_read_cpu(&here);
	return image_lacks(&m->header->cpu, &here);
#else
	(void)m;
	return "it was made on another architecture";
#endif
}

static enum status
parse(struct checkpoint *c, const struct spec *s, struct fault *why)
{
	const char	*words = "it is empty";

	if (c->bytes > 0 && (c->map = mmap(NULL, c->bytes, PROT_READ, MAP_SHARED, c->fd,
	    0)) == MAP_FAILED) {
		c->map = NULL;
		return fault_set(why, ST_INTERNAL, "the image cannot be mapped: %s",
		    strerror(errno));
	}
	if (c->map != NULL)
		words = image_parse(&c->image, c->map, c->bytes);
	if (words == NULL)
		words = why_not_here(&c->image);
	return words == NULL ? ST_OK : refuse(why, s->checkpoint, words,
	    "make it anew, on this machine, by an application that is linked with "
	    "libassay-checkpoint");
}

static enum status
read_image(struct checkpoint *c, int from, const struct spec *s, struct fault *why)
{
	enum status	st;

	if ((c->fd = memfd_create("assay-image", MFD_CLOEXEC)) < 0)
		return fault_set(why, ST_INTERNAL, "memfd: %s", strerror(errno));
	if (fstat(from, &c->from) != 0 || !S_ISREG(c->from.st_mode))
		return refuse(why, s->checkpoint, "it is no file", "name an image");
	if ((uint64_t)c->from.st_size > IMAGE_MAX_BYTES)
		return refuse(why, s->checkpoint, "it has more than 4 GiB",
		    "enter the checkpoint with less memory");
	if ((st = copy(c, from, s->checkpoint, why)) != ST_OK)
		return st;
	return parse(c, s, why);
}

static bool
is_unchanged(const struct checkpoint *c, int fd)
{
	struct stat	st;

	return c->map != NULL && fstat(fd, &st) == 0 && st.st_dev == c->from.st_dev &&
	    st.st_ino == c->from.st_ino && st.st_size == c->from.st_size &&
	    st.st_mtim.tv_sec == c->from.st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == c->from.st_mtim.tv_nsec &&
	    st.st_ctim.tv_sec == c->from.st_ctim.tv_sec &&
	    st.st_ctim.tv_nsec == c->from.st_ctim.tv_nsec;
}

static enum status
check_name(const struct checkpoint *c, const struct spec *s, struct fault *why)
{
	if (strcmp(c->image.header->name, s->routine.name) == 0)
		return ST_OK;
	(void)fault_at(why, ST_BAD_SPEC, MEMBER, "the image %s has the routine \"%s\", not \"%s\"",
	    s->checkpoint, c->image.header->name, s->routine.name);
	fault_hint(why, "give assay_checkpoint_routine the name that the spec's routine has");
	return ST_BAD_SPEC;
}

enum status
checkpoint_open(struct checkpoint *c, const char *images_dir, const struct spec *s, bool *changed,
    struct fault *why)
{
	char		path[4096];
	int		fd;
	enum status	st = ST_OK;

	*changed = false;
	if (images_dir == NULL || images_dir[0] == '\0')
		return refuse(why, s->checkpoint, "this daemon has no directory of images",
		    "start assayd with --images DIRECTORY");
	if ((size_t)snprintf(path, sizeof path, "%s/%s", images_dir,
	    s->checkpoint) >= sizeof path ||
	    (fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) < 0) {
		(void)fault_at(why, ST_BAD_SPEC, MEMBER, "the image %s: %s", path, strerror(errno));
		fault_hint(why, "put it there, where the daemon may read it");
		return ST_BAD_SPEC;
	}
	if (!is_unchanged(c, fd)) {
		struct hash	before = c->digest;

		checkpoint_release(c);
		if ((st = read_image(c, fd, s, why)) != ST_OK)
			checkpoint_release(c);
		*changed = strcmp(before.hex, c->digest.hex) != 0;
	}
	close(fd);
	return st == ST_OK ? check_name(c, s, why) : st;
}

/* ---- what a check left ---- */

uint64_t
checkpoint_output_bytes(const struct checkpoint *c, const struct spec *s)
{
	return RUNNER_MEMORY_AT(ctype_bytes(s->routine.result)) + image_compared_bytes(&c->image);
}

static uint64_t
read_word(const void *at)
{
	uint64_t	word;

	memcpy(&word, at, sizeof word);
	return word;
}

/*
 * A jump of the dynamic linker: to its target once that is found, before to the code that finds it.
 */
static bool
is_jump(const struct image *m, uint64_t before, uint64_t now)
{
	return image_find(m, before, 1, IMAGE_EXEC) != NULL &&
	    image_find(m, now, 1, IMAGE_EXEC) != NULL;
}

static bool
is_linkers(const struct image *m, const char *first, const char *got, const char *want)
{
	const uint64_t	before = read_word(first), g = read_word(got), w = read_word(want);

	return (g == before || is_jump(m, before, g)) && (w == before || is_jump(m, before, w));
}

static void
answer_piece(struct answer *c, const struct image *m, const struct image_segment *s,
    const char *got, const char *want, const char *again)
{
	enum { WORD = sizeof(uint64_t) };

	for (uint64_t page = 0; page < s->bytes; page += IMAGE_PAGE) {
		if (memcmp(got + page, want + page, IMAGE_PAGE) == 0)
			continue;
		for (uint64_t i = page; i < page + IMAGE_PAGE; i += WORD)
			if (memcmp(got + i, want + i, WORD) != 0 &&
			    memcmp(again + i, want + i, WORD) == 0 &&
			    !is_linkers(m, m->bytes + s->offset + i, got + i, want + i))
				answer_word(c, s->at + i, read_word(got + i), read_word(want + i));
	}
	c->compared += s->bytes / WORD;
}

void
checkpoint_compare(struct answer *c, const struct checkpoint *p, const struct spec *s,
    const void *got, const void *want, const void *again)
{
	const enum ctype	 result = s->routine.result;
	const uint64_t		 g = read_word(got), w = read_word(want),
				    most = w < RUNNER_CALLS ? w : RUNNER_CALLS;
	uint64_t		 at = RUNNER_MEMORY_AT(ctype_bytes(result));

	if (result != CTYPE_VOID)
		answer_elements(c, "return", result, (const char *)got + RUNNER_RESULTS_AT,
		    (const char *)want + RUNNER_RESULTS_AT, g < most ? g : most);
	answer_elements(c, "calls", CTYPE_ULONG, &g, &w, 1);
	for (uint32_t i = 0; i < p->image.header->segments; i++) {
		const struct image_segment	*piece = &p->image.segment[i];

		if (!image_is_compared(piece))
			continue;
		answer_piece(c, &p->image, piece, (const char *)got + at, (const char *)want + at,
		    (const char *)again + at);
		at += piece->bytes;
	}
}
