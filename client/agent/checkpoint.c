/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library that applications link.  An image is taken in the midst of a program.  So this calls
 * no malloc and no stdio, which would be half way through something in the image.  The variables
 * here and the stack below the caller change while the image is written.  They are in it in an
 * undefined state, and a restarted image does not read them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/agent/checkpoint.h"
#include "client/agent/maps.h"
#include "client/agent/vdso.h"
#include "proto/wire/image.h"

#define CALL	"ASSAY_CHECKPOINT_AT"	/* the number of the one call that makes an image */

assay_routine *volatile	assay_checkpoint_entry;

static assay_routine	*volatile on_stop;	/* set in a restarted image */
static assay_routine	*own;
static char		 name[IMAGE_NAME_BYTES];
static unsigned long	 entered;	/* calls so far, this one included */

void
assay_checkpoint_routine(const char *routine, assay_routine *f)
{
	strncpy(name, routine, sizeof name - 1);
	assay_checkpoint_entry = own = f;
}

/* The 0th call makes no image: print how many there are. */
static bool
is_counting(const char *at)
{
	return at != NULL && strcmp(at, "0") == 0;
}

void
assay_stop_checkpoint(void)
{
	if (on_stop != NULL)
		on_stop();
	if (is_counting(getenv(CALL)))
		(void)dprintf(STDERR_FILENO,
		    "assay: %lu calls of assay_enter_checkpoint\n", entered);
}

#if defined(__x86_64__)
#include <asm/prctl.h>
#include <sys/syscall.h>

/* Registers: assay_enter_checkpoint fills this in before anything else. */
struct image_context		 assay_checkpoint_context __attribute__((visibility("hidden")));
int				 assay_checkpoint_write(const char *)
				    __attribute__((visibility("hidden")));

__asm__(
    "	.text\n"
    "	.globl assay_enter_checkpoint\n"
    "	.type assay_enter_checkpoint, @function\n"
    "assay_enter_checkpoint:\n"
    "	lea assay_checkpoint_context(%rip), %rax\n"
    "	mov %rbx, 0(%rax)\n"
    "	mov %rbp, 8(%rax)\n"
    "	mov %r12, 16(%rax)\n"
    "	mov %r13, 24(%rax)\n"
    "	mov %r14, 32(%rax)\n"
    "	mov %r15, 40(%rax)\n"
    "	lea 8(%rsp), %rcx\n"
    "	mov %rcx, 48(%rax)\n"
    "	mov (%rsp), %rcx\n"
    "	mov %rcx, 56(%rax)\n"
    "	stmxcsr 64(%rax)\n"
    "	fnstcw 68(%rax)\n"
    "	jmp assay_checkpoint_write\n"
    "	.size assay_enter_checkpoint, . - assay_enter_checkpoint\n");

/* A list of pieces of the file, and its size. */
static struct {
	struct image_header	 header;
	struct image_segment	 segment[IMAGE_MAX_SEGMENTS];
} image;

static bool
put(int fd, const void *from, uint64_t bytes)
{
	const char	*at = from;

	while (bytes > 0) {
		ssize_t	n = write(fd, at, bytes);

		if (n <= 0 && errno != EINTR)
			return false;
		at += n > 0 ? n : 0;
		bytes -= n > 0 ? (uint64_t)n : 0;
	}
	return true;
}

static uint64_t
place_segments(uint32_t n)
{
	uint64_t	at = sizeof image.header + n * sizeof *image.segment;

	at = (at + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;
	for (uint32_t i = 0; i < n; i++) {
		image.segment[i].offset = at;
		at += image.segment[i].bytes;
	}
	return at;
}

/* 0, or a number for errno. */
static int
describe(void)
{
	struct image_header	*h = &image.header;
	int			 found = maps_read(image.segment, IMAGE_MAX_SEGMENTS, h);

	if (found < 0)
		return -found;
	memcpy(h->magic, IMAGE_MAGIC, sizeof h->magic);
	h->version = IMAGE_VERSION;
	h->machine = IMAGE_X86_64;
	h->segments = (uint32_t)found;
	h->context = assay_checkpoint_context;
	h->context.fcw &= 0xffff;
	h->entry_at = (uintptr_t)&assay_checkpoint_entry;
	h->stop_at = (uintptr_t)&on_stop;
	h->routine = (uintptr_t)own;
	memcpy(h->name, name, sizeof h->name);
	image_read_cpu(&h->cpu);
	vdso_read(h);
	h->bytes = place_segments(h->segments);
	return syscall(SYS_arch_prctl, ARCH_GET_FS, &h->context.fs) == 0 ? 0 : errno;
}

static bool
put_all(int fd)
{
	if (!put(fd, &image, sizeof image.header + image.header.segments * sizeof *image.segment))
		return false;
	for (uint32_t i = 0; i < image.header.segments; i++) {
		const struct image_segment	*s = &image.segment[i];

		if (lseek(fd, (off_t)s->offset, SEEK_SET) < 0 ||
		    !put(fd, (const void *)(uintptr_t)s->at, s->bytes))
			return false;
	}
	return true;
}

static int
fail(int error)
{
	errno = error;
	return -1;
}

/* Under another name until it is whole. */
static int
write_file(const char *file)
{
	static char	part[4096];
	int		fd, error = 0;

	if ((size_t)snprintf(part, sizeof part, "%s.part", file) >= sizeof part)
		return fail(ENAMETOOLONG);
	if ((fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) < 0)
		return -1;
	if (!put_all(fd))
		error = errno;
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0 && rename(part, file) != 0)
		error = errno;
	if (error == 0)
		return 0;
	unlink(part);
	return fail(error);
}

static bool
is_alone(void)
{
	struct stat	st;

	return stat("/proc/self/task", &st) != 0 || st.st_nlink <= 3;
}

int
assay_checkpoint_write(const char *file)
{
	const char	*at = getenv(CALL);
	int		 error;

	if (on_stop != NULL)			/* a restarted image makes no image */
		return 1;
	entered++;
	if (at != NULL && strtoul(at, NULL, 10) != entered)
		return 0;
	if (own == NULL || name[0] == '\0')
		return fail(EINVAL);
	if (!is_alone())
		return fail(EBUSY);
	if ((error = describe()) != 0)
		return fail(error);
	return write_file(file);
}
#else
int
assay_enter_checkpoint(const char *file)
{
	(void)file;
	errno = ENOTSUP;
	return -1;
}
#endif
