/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Theory of operation.  The application's memory lies at its own addresses beside ours; no address is in both.  Two
 * things make a thread the application's: the stack pointer and the base of thread-local variables (FS).  So a jump
 * into the image sets both and the registers that a function keeps, and the image's assay_stop_checkpoint, whose pointer
 * we have set, brings ours back.  In between, the routine is called through a pointer that leads into the driver:
 * there FS is ours again for as long as the variant runs, because it has libm and errno of our process.
 *
 * Functions that run with the application's FS have no stack protector and no sanitizer: those look into our
 * thread-local variables.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

#include "worker/rt/flush.h"
#include "worker/rt/image.h"
#include "worker/runner_shm.h"

#define STACK_MORE	((uint64_t)1 << 20)	/* below what the application's stack had grown to */

static struct {
	const struct rt_image	*image;
	rt_u64			 calls;
	char			 result[RUNNER_CALLS][RT_MAX_RESULT];
} last;

#if defined(__x86_64__)
#define HWCAP2_FSGSBASE	2u
#define IN_BETWEEN	__attribute__((noinline, no_stack_protector, no_sanitize("address", "undefined")))

static struct {
	rt_u64		 ours, theirs;		/* FS */
	rt_u64		 wanted;		/* by the routine */
	int		 has_instruction;
} fs;

rt_u64			 rt_image_stack __attribute__((visibility("hidden")));	/* ours, while the image runs */
void			 rt_image_jump(const struct image_context *) __attribute__((visibility("hidden")));
void			 rt_image_stopped(void) __attribute__((visibility("hidden")));

/* One frame of ours with all that a function keeps; who comes back by rt_image_stopped finds it. */
__asm__(
    "	.text\n"
    "	.globl rt_image_jump\n"
    "	.type rt_image_jump, @function\n"
    "rt_image_jump:\n"
    "	push %rbp\n"
    "	push %rbx\n"
    "	push %r12\n"
    "	push %r13\n"
    "	push %r14\n"
    "	push %r15\n"
    "	sub $8, %rsp\n"
    "	stmxcsr (%rsp)\n"
    "	fnstcw 4(%rsp)\n"
    "	mov %rsp, rt_image_stack(%rip)\n"
    "	mov 0(%rdi), %rbx\n"
    "	mov 8(%rdi), %rbp\n"
    "	mov 16(%rdi), %r12\n"
    "	mov 24(%rdi), %r13\n"
    "	mov 32(%rdi), %r14\n"
    "	mov 40(%rdi), %r15\n"
    "	mov 48(%rdi), %rsp\n"
    "	ldmxcsr 64(%rdi)\n"
    "	fldcw 68(%rdi)\n"
    "	mov $1, %eax\n"
    "	jmp *56(%rdi)\n"
    "	.size rt_image_jump, . - rt_image_jump\n"
    "	.globl rt_image_stopped\n"
    "	.type rt_image_stopped, @function\n"
    "rt_image_stopped:\n"
    "	mov rt_image_stack(%rip), %rsp\n"
    "	ldmxcsr (%rsp)\n"
    "	fldcw 4(%rsp)\n"
    "	add $8, %rsp\n"
    "	pop %r15\n"
    "	pop %r14\n"
    "	pop %r13\n"
    "	pop %r12\n"
    "	pop %rbx\n"
    "	pop %rbp\n"
    "	ret\n"
    "	.size rt_image_stopped, . - rt_image_stopped\n");

static inline __attribute__((always_inline)) void
set_fs(rt_u64 base)
{
	long	done;

	if (fs.has_instruction)
		__asm__ volatile("wrfsbase %0" :: "r"(base) : "memory");
	else
		__asm__ volatile("syscall" : "=a"(done) : "0"(SYS_arch_prctl), "D"((long)ARCH_SET_FS), "S"(base)
		    : "rcx", "r11", "memory");
}

IN_BETWEEN static void
run(const struct image_header *h)
{
	set_fs(fs.theirs);
	rt_image_jump(&h->context);
	set_fs(fs.ours);
}

static void
store(uint64_t at, uint64_t value)
{
	*(volatile uint64_t *)(uintptr_t)at = value;
}

void
rt_image_run(rt_code *code, rt_code *through)
{
	const struct image_header	*h = last.image->file.header;

	last.calls = 0;
	fs.wanted = (uintptr_t)code == h->routine ? fs.theirs : fs.ours;
	store(h->entry_at, (uintptr_t)through);
	store(h->stop_at, (uintptr_t)rt_image_stopped);
	run(h);
}

IN_BETWEEN void
rt_image_in(void)
{
	set_fs(fs.wanted);
}

IN_BETWEEN void
rt_image_out(const volatile void *result, rt_u32 bytes)
{
	const volatile char	*from = result;
	rt_u64			 call = last.calls++;

	for (rt_u32 i = 0; call < RUNNER_CALLS && i < bytes && i < RT_MAX_RESULT; i++)
		last.result[call][i] = from[i];
	set_fs(fs.theirs);
}

/* A child's is its template's. */
static void
know_fs(const struct image_header *h)
{
	fs.has_instruction = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
	syscall(SYS_arch_prctl, ARCH_GET_FS, &fs.ours);
	fs.theirs = h->context.fs;
}

/* "mov $number, %eax; syscall; ret" at each of the clocks that the application's libc has the addresses of. */
static const char *
make_clocks(const struct image_header *h)
{
	static const unsigned	numbers[IMAGE_CLOCKS] = {
		SYS_clock_gettime, SYS_gettimeofday, SYS_time, SYS_getcpu, SYS_clock_getres,
	};
	unsigned char		*at = (void *)(uintptr_t)h->vdso_at;

	for (unsigned i = 0; i < IMAGE_CLOCKS; i++) {
		const unsigned char	stub[IMAGE_STUB_BYTES] = {
			0xb8, (unsigned char)numbers[i], (unsigned char)(numbers[i] >> 8), 0, 0, 0x0f, 0x05, 0xc3,
		};

		if (h->clock[i] != 0)
			memcpy(at + h->clock[i], stub, sizeof stub);
	}
	return mprotect(at, h->vdso_bytes, PROT_READ | PROT_EXEC) == 0 ? NULL : "its clocks cannot be made executable";
}
#else
static void
know_fs(const struct image_header *h)
{
	(void)h;
}

static const char *
make_clocks(const struct image_header *h)
{
	(void)h;
	return "it was made on another architecture";
}

void
rt_image_run(rt_code *code, rt_code *through)
{
	(void)code;
	(void)through;
}

void
rt_image_in(void)
{
}

void
rt_image_out(const volatile void *result, rt_u32 bytes)
{
	(void)result;
	(void)bytes;
}
#endif

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
	    errno == ENOMEM ? "there is no memory for it" : "a piece of its memory cannot be mapped";
	return got != MAP_FAILED || errno == EEXIST ? RT_IMAGE_CLASH : RT_IMAGE_BAD;
}

/* A stack may go deeper than it had been, as far as nothing else is there. */
static void
deepen(const struct image *m, uint32_t i)
{
	uint64_t	 at = m->segment[i].at;
	uint64_t	 free_from = i > 0 ? m->segment[i - 1].at + m->segment[i - 1].bytes + IMAGE_PAGE : IMAGE_PAGE;
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
	if ((st = map_at(h->vdso_at, h->vdso_bytes, PROT_READ | PROT_WRITE, -1, 0, why)) != RT_IMAGE_OK)
		return st;
	return (*why = make_clocks(h)) == NULL ? RT_IMAGE_OK : RT_IMAGE_BAD;
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
			know_fs(m->file.header);
	}
	if (fd >= 0)
		close(fd);
	last.image = m;
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

		for (uint64_t at = 0; (s->protection & IMAGE_WRITE) && at < s->bytes; at += IMAGE_PAGE)
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

rt_code *
rt_image_routine(const struct rt_image *m)
{
	return (rt_code *)(uintptr_t)m->file.header->routine;
}

uint64_t
rt_image_calls(void)
{
	return last.calls;
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
	uint64_t	logged = last.calls < RUNNER_CALLS ? last.calls : RUNNER_CALLS;
	uint64_t	at = RUNNER_MEMORY_AT(result_bytes);

	if (at > bytes || image_compared_bytes(&m->file) > bytes - at || result_bytes > RT_MAX_RESULT)
		return 0;
	forget_hooks(m->file.header);
	memcpy(to, &last.calls, sizeof last.calls);
	for (uint64_t i = 0; i < logged; i++)
		memcpy(to + RUNNER_RESULTS_AT + i * result_bytes, last.result[i], result_bytes);
	for (uint32_t i = 0; i < m->file.header->segments; i++) {
		const struct image_segment	*s = &m->file.segment[i];

		if (!image_is_compared(s))
			continue;
		memcpy(to + at, memory_of(s), s->bytes);
		at += s->bytes;
	}
	return 1;
}
