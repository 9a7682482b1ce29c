/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_IMAGE_H
#define ASSAY_PROTO_WIRE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/*
 * A checkpoint image: all memory of an application when it called assay_enter_checkpoint (automated
 * timer generation, section 3.2).  client/agent/ writes it, assay-runner maps it and runs the
 * application's own instructions from there to assay_stop_checkpoint.
 *
 *	struct image_header
 *	struct image_segment × segments, by address
 *	zeros up to a page's end
 *	the contents of each segment, from a page's beginning, so that they can be mapped
 *
 * Numbers are little-endian, addresses the application's own.  Libc only: the library that
 * applications link and the runner share this.  A change of any member bumps IMAGE_VERSION.
 */
#define IMAGE_MAGIC	"ASSAYIMG"		/* without its NUL */

enum {
	IMAGE_VERSION		= 1,
	IMAGE_X86_64		= 62,		/* as ELF numbers machines */
	IMAGE_PAGE		= 4096,
	IMAGE_MAX_SEGMENTS	= 1024,
	IMAGE_NAME_BYTES	= 128,
	IMAGE_CLOCKS		= 5,		/* clock_gettime, gettimeofday, time, getcpu,
						 * clock_getres */
	IMAGE_STUB_BYTES	= 12,		/* what stands at each of their addresses when
						 * restarted */
	IMAGE_MAX_VDSO		= 65536,
};
#define IMAGE_MAX_BYTES	((uint64_t)4 << 30)

/* The features that libc chose its functions by: an image runs only where all are there. */
struct image_cpu {
	char		 vendor[12];
	uint32_t	 features[4];		/* cpuid 1: ecx, edx; 7: ebx, ecx */
	uint32_t	 spare;
	uint64_t	 xcr0;			/* the states that the kernel saves: sizes follow
						 * from it */
};

/* Registers that a function must preserve, and its return address. */
struct image_context {
	uint64_t	 rbx, rbp, r12, r13, r14, r15;
	uint64_t	 rsp;			/* when it has returned */
	uint64_t	 rip;
	uint32_t	 mxcsr, fcw;
	uint64_t	 fs;			/* base of the thread's own variables */
};

enum { IMAGE_READ = 1, IMAGE_WRITE = 2, IMAGE_EXEC = 4 };	/* as PROT_ */
enum {
	IMAGE_STACK	= 1,			/* bytes below the routine's caller mean nothing */
	IMAGE_LOADER	= 2,			/* the dynamic linker's own: it counts what it has
						 * looked up */
};

struct image_segment {
	uint64_t	 at, bytes, offset;
	uint32_t	 protection, flags;
};

struct image_header {
	char			 magic[8];
	uint32_t		 version, machine;
	uint64_t		 bytes;		/* of the whole file */
	uint32_t		 segments, spare;
	struct image_cpu	 cpu;
	struct image_context	 context;
	uint64_t		 entry_at;	/* address of the pointer that the routine is called
						 * through */
	uint64_t		 stop_at;	/* the same of assay_stop_checkpoint, unless NULL */
	uint64_t		 routine;	/* the application's own */
	uint64_t		 vdso_at, vdso_bytes;	/* not in the image; 0: there was none */
	uint64_t		 clock[IMAGE_CLOCKS];	/* offsets in it of its functions; 0: there
							 * is none */
	char			 name[IMAGE_NAME_BYTES];	/* of the routine */
};

/* An image with every number checked; borrows the file's bytes. */
struct image {
	const struct image_header	*header;
	const struct image_segment	*segment;
	const char			*bytes;
};

/* NULL: it is one.  Else why not, in words that last.  `bytes` is aligned to 8. */
const char	*image_parse(struct image *, const void *bytes, uint64_t size);

/* The segment in which `bytes` from `at` lie, with all of the protection; NULL: there is none. */
const struct image_segment *image_find(const struct image *, uint64_t at, uint64_t bytes,
		    uint32_t protection);

/* Is what the routine wrote here to be compared with what another wrote? */
bool		 image_is_compared(const struct image_segment *);
uint64_t	 image_compared_bytes(const struct image *);

/* What `here` lacks of what the image needs, in words that last; NULL: nothing. */
const char	*image_lacks(const struct image_cpu *needs, const struct image_cpu *here);

#if defined(__x86_64__)
/* Of this machine. */
static inline void
image_read_cpu(struct image_cpu *to)
{
	uint32_t	a, b, c, d, low, high;

	__builtin_memset(to, 0, sizeof *to);
	if (__get_cpuid(0, &a, &b, &c, &d)) {
		__builtin_memcpy(to->vendor, &b, 4);
		__builtin_memcpy(to->vendor + 4, &d, 4);
		__builtin_memcpy(to->vendor + 8, &c, 4);
	}
	if (__get_cpuid(1, &a, &b, &c, &d)) {
		to->features[0] = c;
		to->features[1] = d;
	}
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
		to->features[2] = b;
		to->features[3] = c;
	}
	if (to->features[0] & bit_OSXSAVE) {
		__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
		to->xcr0 = (uint64_t)high << 32 | low;
	}
}
#endif

#endif
