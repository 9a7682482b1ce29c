/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Theory of operation.  The application's memory lies at its own addresses beside ours; no address
 * is in both.  Two things make a thread the application's: the stack pointer and the base of
 * thread-local variables (FS).  So a jump into the image sets both and the registers that a
 * function keeps.  Its assay_stop_checkpoint, by a pointer that we have set, brings ours back.  In
 * between, the routine is called through a pointer that leads into the driver.  There FS is ours
 * again for as long as the variant runs, because it has libm and errno of our process.
 *
 * Functions that run with the application's FS have no stack protector and no sanitizer: those look
 * into our thread-local variables.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#endif

#include "proto/wire/runner_shm.h"
#include "worker/runner/image/image_parts.h"

static struct {
	const struct rt_image	*image;
	rt_u64			 calls;
	char			 result[RUNNER_CALLS][RT_MAX_RESULT];
} last;

#if defined(__x86_64__)
#define HWCAP2_FSGSBASE	2u
#define IN_BETWEEN	__attribute__((noinline, no_stack_protector, \
			    no_sanitize("address", "undefined")))

static struct {
	rt_u64		 ours, theirs;		/* FS */
	rt_u64		 wanted;		/* by the routine */
	int		 has_instruction;
} fs;

static void		 (*before_call)(void);

/* ours, while the image runs */
rt_u64			 rt_image_stack __attribute__((visibility("hidden")));
void			 rt_image_jump(const struct image_context *)
			    __attribute__((visibility("hidden")));
void			 rt_image_stopped(void) __attribute__((visibility("hidden")));

/* One frame of ours with all that a function keeps; rt_image_stopped comes back to it. */
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

/* libc's syscall() would keep errno where it has none now. */
static inline __attribute__((always_inline)) long
ask_kernel(long call, long a, long b)
{
	long	answer;

	__asm__ volatile("syscall" : "=a"(answer) : "0"(call), "D"(a), "S"(b) : "rcx",
	    "r11", "memory");
	return answer;
}

/* ---- the image's clocks, at the addresses that its libc has for the kernel's ---- */

static struct {
	int		 counts;
	uint64_t	 readings;
	int		 (*now)(clockid_t, struct timespec *);	/* the kernel's, in this process;
								 * NULL: there is none */
} clocks;

void
rt_image_count_time(int on)
{
	clocks.counts = on;
}

/* As the kernel's: 0, or a negated errno. */
IN_BETWEEN static int
clock_gettime_of_image(clockid_t clock, struct timespec *t)
{
	const uint64_t	ns = 1000 * ++clocks.readings;

	if (!clocks.counts)
		return clocks.now != NULL ? clocks.now(clock, t) :
		    (int)ask_kernel(SYS_clock_gettime, clock, (long)t);
	t->tv_sec = (time_t)(ns / 1000000000u);
	t->tv_nsec = (long)(ns % 1000000000u);
	return 0;
}

IN_BETWEEN static int
gettimeofday_of_image(struct timeval *to, void *zone)
{
	struct timespec	t = { 0, 0 };
	int		error = clock_gettime_of_image(CLOCK_REALTIME, &t);

	(void)zone;
	if (to != NULL)
		*to = (struct timeval){ t.tv_sec, t.tv_nsec / 1000 };
	return error;
}

IN_BETWEEN static time_t
time_of_image(time_t *to)
{
	struct timespec	t = { 0, 0 };

	(void)clock_gettime_of_image(CLOCK_REALTIME, &t);
	if (to != NULL)
		*to = t.tv_sec;
	return t.tv_sec;
}

IN_BETWEEN static int
getcpu_of_image(unsigned *cpu, unsigned *node, void *cache)
{
	(void)cache;
	if (cpu != NULL)
		*cpu = 0;
	if (node != NULL)
		*node = 0;
	return 0;
}

IN_BETWEEN static int
clock_getres_of_image(clockid_t clock, struct timespec *t)
{
	(void)clock;
	if (t != NULL)
		*t = (struct timespec){ 0, 1 };
	return 0;
}

/* "movabs $function, %rax; jmp *%rax" at each of the addresses. */
const char *
rt_image_make_clocks(const struct image_header *h)
{
	void *const	 functions[IMAGE_CLOCKS] = {
		(void *)clock_gettime_of_image, (void *)gettimeofday_of_image,
		    (void *)time_of_image,
		(void *)getcpu_of_image, (void *)clock_getres_of_image,
	};
	unsigned char	*at = (void *)(uintptr_t)h->vdso_at;
	void		*vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);

	if (vdso != NULL)
		*(void **)&clocks.now = dlsym(vdso, "__vdso_clock_gettime");
	for (unsigned i = 0; i < IMAGE_CLOCKS; i++) {
		unsigned char	stub[IMAGE_STUB_BYTES] = { 0x48, 0xb8, [10] = 0xff, [11] = 0xe0 };

		memcpy(stub + 2, &functions[i], sizeof functions[i]);
		if (h->clock[i] != 0)
			memcpy(at + h->clock[i], stub, sizeof stub);
	}
	return mprotect(at, h->vdso_bytes, PROT_READ | PROT_EXEC) == 0 ? NULL :
	    "its clocks cannot be made executable";
}

/* ---- in and out ---- */

static inline __attribute__((always_inline)) void
set_fs(rt_u64 base)
{
	if (fs.has_instruction)
		__asm__ volatile("wrfsbase %0" :: "r"(base) : "memory");
	else
		(void)ask_kernel(SYS_arch_prctl, ARCH_SET_FS, (long)base);
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

	last.calls = clocks.readings = 0;
	fs.wanted = (uintptr_t)code == h->routine ? fs.theirs : fs.ours;
	store(h->entry_at, (uintptr_t)through);
	store(h->stop_at, (uintptr_t)rt_image_stopped);
	run(h);
}

void
rt_image_before_call(void (*each)(void))
{
	before_call = each;
}

IN_BETWEEN void
rt_image_in(void)
{
	if (before_call != NULL) {
		set_fs(fs.ours);
		before_call();
	}
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

/* A child's FS is its template's. */
void
rt_image_use(const struct rt_image *m)
{
	last.image = m;
	fs.has_instruction = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
	syscall(SYS_arch_prctl, ARCH_GET_FS, &fs.ours);
	fs.theirs = m->file.header->context.fs;
}

#else
void
rt_image_use(const struct rt_image *m)
{
	last.image = m;
}

void
rt_image_count_time(int on)
{
	(void)on;
}

const char *
rt_image_make_clocks(const struct image_header *h)
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
rt_image_before_call(void (*each)(void))
{
	(void)each;
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

uint64_t
rt_image_calls(void)
{
	return last.calls;
}

const char *
rt_image_result(uint64_t call)
{
	return last.result[call];
}
