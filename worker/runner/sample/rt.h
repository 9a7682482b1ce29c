/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RT_H
#define RT_H

/*
 * The interface of a timing driver and assay-runner.  A driver includes this text as "rt.h" and is
 * loaded by the runner, which gives it the functions declared extern below.
 *
 * A spec's params reach a driver as macros of any name (N, i, n, x, …).  So every identifier in
 * here begins with rt_ or RT_, parameters, members and locals too, and nothing else is included.
 */
typedef __UINT32_TYPE__	 rt_u32;
typedef __INT64_TYPE__	 rt_i64;
typedef __UINT64_TYPE__	 rt_u64;

enum { RT_ABI = 9, RT_MAX_OPERANDS = 64, RT_MAX_RESULT = 32 };

/*
 * In a walk: this call's sign is turned round (RangeGuard).  The rest of the entry is the working
 * set's number.
 */
#define RT_TURNED	0x80000000u

/* Any routine: cast back to its own type before it is called. */
typedef void		 rt_code(void);

/* A member of a struct: numbers of one type. */
struct rt_member {
	char		 rt_class;	/* as of an element */
	rt_u32		 rt_bytes;	/* of a number */
	rt_u64		 rt_offset;	/* bytes */
	rt_u64		 rt_count;	/* of an array; else 1 */
	double		 rt_low;	/* the range of random ones */
	double		 rt_high;
};

/* One pointer argument, in the order of the prototype. */
struct rt_operand {
	const char	*rt_name;
	char		 rt_class;	/* of an element: i signed, u unsigned, b _Bool, f real, c
					 * complex, s struct */
	char		 rt_access;	/* i in, o out, b both */
	char		 rt_init;	/* r random, v value, n index, p permutation, d data, t
					 * text */
	char		 rt_paired;	/* there is a copy with every element negated; at most one
					 * operand has one */
	rt_u32		 rt_bytes;	/* of an element */
	rt_u64		 rt_count;	/* elements allocated */
	rt_u64		 rt_stride;	/* every rt_stride-th of them is touched */
	rt_u64		 rt_align;	/* bytes */
	rt_u64		 rt_misalign;	/* bytes the address must not be a multiple of; 0: none */
	rt_u64		 rt_offset;	/* bytes the address is behind one that is so aligned;
					 * below rt_align */
	rt_u64		 rt_seed;	/* r, p, t */
	double		 rt_low;	/* r: the range; integers include both ends */
	double		 rt_high;
	char		 rt_order;	/* r: s sorted, n nearly sorted, r reversed; 0: random */
	double		 rt_swaps;	/* n: swaps of two elements, per element */
	rt_u32		 rt_distinct;	/* r: different values at most; 0: any number */
	double		 rt_zeros;	/* r: share of the elements that are 0 */
	char		 rt_pages;	/* s small, h huge; 0: by its size */
	char		*rt_home;	/* static memory for it; NULL: it gets some */
	rt_u64		 rt_home_bytes;
	const void	*rt_data;	/* v: one element; d: all of them */
	rt_u64		 rt_data_bytes;	/* d: more than the elements have are further inputs */
	const struct rt_member *rt_member;	/* s: what it consists of */
	rt_u32		 rt_members;
};

/*
 * Static memory for an operand of so many bytes, its negated copy included: also for aligning and
 * moving it, and for a page behind it.
 */
#define RT_HOME_BYTES(rt_bytes, rt_unit)	((rt_bytes) + 2 * (rt_unit) + (7u << 20))

/*
 * A driver.  `rt_at` is one working set: a pointer for each operand, and one more for the negated
 * copy if there is one.  The two timed functions return ticks of their clock for the whole region,
 * as an integer.  The supervisor converts them (Whaley and Castaldo, section 2.2).
 */
struct rt_driver {
	rt_u32			 rt_abi;
	rt_u32			 rt_operands;
	rt_u32			 rt_result_bytes;	/* 0: the routine returns nothing */
	rt_u32			 rt_result_class;	/* as of an element */
	/*
	 * Calls come from an image, which has the operands; the timed function returns ticks of the
	 * last call before it stops.
	 */
	rt_u32			 rt_checkpoint;
	const char		*rt_routine;		/* its name */
	const char		*rt_cxx;		/* in C++; NULL: not known */
	const char		*rt_fortran;		/* without bind(c); NULL: likewise */
	const char		*rt_clock;		/* cycle, wall or cpu */
	const struct rt_operand	*rt_operand;
	const volatile void	*rt_result;		/* what the last call returned */
	/*
	 * NULL: no sign turns; else 1: the next call of rt_repeat is turned round, and after it
	 * every second
	 */
	rt_u64			*rt_turn;
	rt_code			*rt_empty;		/* same type as the routine, does nothing */
	/* same type, hands rt_saw() its operands; may be missing */
	rt_code			*rt_witness;
	void			 (*rt_describe)(void);	/* fill in what depends on the params;
							 * called once, first */
	void			 (*rt_call)(rt_code *, void *const *rt_at);
	/* rt_calls calls on the same operands. */
	rt_u64			 (*rt_repeat)(rt_code *, void *const *rt_at, rt_u64 rt_calls);
	/*
	 * rt_calls calls, the n-th on set rt_walk[n]: operand k of set s is at rt_at[k] + s *
	 * rt_step[k].
	 */
	rt_u64			 (*rt_rotate)(rt_code *, void *const *rt_at, const rt_u64 *rt_step,
				    const rt_u32 *rt_walk, rt_u64 rt_calls);
	/* The same without fences: calls overlap as those of rt_repeat do. */
	rt_u64			 (*rt_stroll)(rt_code *, void *const *rt_at, const rt_u64 *rt_step,
				    const rt_u32 *rt_walk, rt_u64 rt_calls);
};

/* Exported by a driver. */
extern const struct rt_driver	assay_driver;

/* Given by the runner: nanoseconds of CLOCK_MONOTONIC; CPU time, with children. */
extern rt_u64	 rt_wall_ns(void);
extern rt_u64	 rt_cpu_ns(void);

/* Given by the runner: the witness was called with this pointer as that operand. */
extern void	 rt_saw(rt_u32 rt_operand, const void *rt_at);

/*
 * Given by the runner, for drivers of images.  Run the image from where it was entered to where it
 * stops, its routine being called `through` this function.  That calls `rt_code` between the other
 * two.  The first installs the thread-local variables that the code knows.  The second notes the
 * returned value and restores the image's.
 */
extern void	 rt_image_run(rt_code *, rt_code *rt_through);
extern void	 rt_image_in(void);
extern void	 rt_image_out(const volatile void *rt_result, rt_u32 rt_result_bytes);

/* The functions of expressions.  Arguments have no side effects. */
#define rt_min(rt_a, rt_b)	((rt_a) < (rt_b) ? (rt_a) : (rt_b))
#define rt_max(rt_a, rt_b)	((rt_a) > (rt_b) ? (rt_a) : (rt_b))
#define rt_pow(rt_a, rt_b)	__builtin_pow((double)(rt_a), (double)(rt_b))
#define rt_log2(rt_a)		__builtin_log2((double)(rt_a))
#define rt_ceil(rt_a)		((long long)__builtin_ceil((double)(rt_a)))
#define rt_floor(rt_a)		((long long)__builtin_floor((double)(rt_a)))

/*
 * The cycle-accurate clock.  Start: nothing later may begin before the counter is read, nothing
 * earlier may still be running.  Stop: all earlier work has finished. rt_fence() alone keeps one
 * call from running into the next.  On x86 the counter comes in two halves of 32 bits, at any size
 * of register (section 2.2, Figure 4a).
 */
#if defined(__x86_64__) || defined(__i386__)
static inline __attribute__((always_inline)) void
rt_fence(void)
{
	__asm__ volatile("lfence" ::: "memory");
}

static inline __attribute__((always_inline)) rt_u64
rt_cycle_start(void)
{
	rt_u32	rt_lo, rt_hi;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(rt_lo), "=d"(rt_hi) :: "memory");
	return (rt_u64)rt_hi << 32 | rt_lo;
}

static inline __attribute__((always_inline)) rt_u64
rt_cycle_stop(void)
{
	rt_u32	rt_lo, rt_hi;

	__asm__ volatile("rdtscp\n\tlfence" : "=a"(rt_lo), "=d"(rt_hi) :: "rcx", "memory");
	return (rt_u64)rt_hi << 32 | rt_lo;
}
#elif defined(__aarch64__)
static inline __attribute__((always_inline)) void
rt_fence(void)
{
	__asm__ volatile("dsb sy\n\tisb" ::: "memory");
}

static inline __attribute__((always_inline)) rt_u64
rt_cycle_start(void)
{
	rt_u64	rt_ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(rt_ticks) :: "memory");
	return rt_ticks;
}

static inline __attribute__((always_inline)) rt_u64
rt_cycle_stop(void)
{
	rt_u64	rt_ticks;

	__asm__ volatile("dsb sy\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(rt_ticks) :: "memory");
	return rt_ticks;
}
#else
static inline __attribute__((always_inline)) void
rt_fence(void)
{
	__asm__ volatile("" ::: "memory");
}
#endif

/* The other clocks, in the same shape. */
static inline __attribute__((always_inline)) rt_u64
rt_wall_start(void)
{
	rt_fence();
	return rt_wall_ns();
}

static inline __attribute__((always_inline)) rt_u64
rt_wall_stop(void)
{
	rt_fence();
	return rt_wall_ns();
}

static inline __attribute__((always_inline)) rt_u64
rt_cpu_start(void)
{
	rt_fence();
	return rt_cpu_ns();
}

static inline __attribute__((always_inline)) rt_u64
rt_cpu_stop(void)
{
	rt_fence();
	return rt_cpu_ns();
}
#endif
