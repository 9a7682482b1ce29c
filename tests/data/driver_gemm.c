/* The timing driver of ATL_USERMM; the params come as macros.  Written by Assay. */
#include "rt.h"

#ifndef MS
#error "MS is not defined"
#endif
#ifndef NS
#error "NS is not defined"
#endif
#ifndef KS
#error "KS is not defined"
#endif

typedef void drv_routine(int, int, int, double, const double *, int, const double *, int, double, double *, int);

static struct rt_operand drv_operand[3];

/* The operands, as large as the params make them. */
static void
drv_describe(void)
{
	drv_operand[0] = (struct rt_operand){
		.rt_name = "A", .rt_class = 'f', .rt_bytes = sizeof(double), .rt_access = 'i',
		.rt_count = (rt_u64)(MS + 0LL) * (rt_u64)(KS + 0LL),
		.rt_stride = 1, .rt_align = 16, .rt_misalign = 0,
		.rt_init = 'r', .rt_seed = 5u, .rt_low = -1, .rt_high = 1,
	};
	drv_operand[1] = (struct rt_operand){
		.rt_name = "B", .rt_class = 'f', .rt_bytes = sizeof(double), .rt_access = 'i',
		.rt_count = (rt_u64)(KS + 0LL) * (rt_u64)(NS + 0LL),
		.rt_stride = 1, .rt_align = 16, .rt_misalign = 0,
		.rt_init = 'r', .rt_seed = 7u, .rt_low = -1, .rt_high = 1,
	};
	drv_operand[2] = (struct rt_operand){
		.rt_name = "C", .rt_class = 'f', .rt_bytes = sizeof(double), .rt_access = 'b',
		.rt_count = (rt_u64)(MS + 0LL) * (rt_u64)(NS + 0LL),
		.rt_stride = 1, .rt_align = 16, .rt_misalign = 0,
		.rt_init = 'r', .rt_seed = 10u, .rt_low = -1, .rt_high = 1,
	};
}

static __attribute__((noinline)) void
drv_empty(int drv_a0, int drv_a1, int drv_a2, double drv_a3, const double *drv_a4, int drv_a5, const double *drv_a6, int drv_a7, double drv_a8, double *drv_a9, int drv_a10)
{
	(void)drv_a0;
	(void)drv_a1;
	(void)drv_a2;
	(void)drv_a3;
	(void)drv_a4;
	(void)drv_a5;
	(void)drv_a6;
	(void)drv_a7;
	(void)drv_a8;
	(void)drv_a9;
	(void)drv_a10;
	__asm__ volatile("" ::: "memory");
}

static void
drv_call(rt_code *drv_code, void *const *drv_at)
{
	((drv_routine *)drv_code)((int)(MS + 0LL), (int)(NS + 0LL), (int)(KS + 0LL), (double)1LL, drv_at[0], (int)(MS + 0LL), drv_at[1], (int)(KS + 0LL), (double)1LL, drv_at[2], (int)(MS + 0LL));
}

/* One sample: all calls on the same operands. */
static rt_u64
drv_repeat(rt_code *drv_code, void *const *drv_at, rt_u64 drv_calls)
{
	drv_routine *const drv_go = (drv_routine *)drv_code;
	const int drv_a0 = (int)(MS + 0LL);
	const int drv_a1 = (int)(NS + 0LL);
	const int drv_a2 = (int)(KS + 0LL);
	const double drv_a3 = (double)1LL;
	const int drv_a5 = (int)(MS + 0LL);
	const int drv_a7 = (int)(KS + 0LL);
	const double drv_a8 = (double)1LL;
	const int drv_a10 = (int)(MS + 0LL);
	void *const drv_a4 = drv_at[0];
	void *const drv_a6 = drv_at[1];
	void *const drv_a9 = drv_at[2];
	const rt_u64 drv_start = rt_cycle_start();

	for (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++)
		drv_go(drv_a0, drv_a1, drv_a2, drv_a3, drv_a4, drv_a5, drv_a6, drv_a7, drv_a8, drv_a9, drv_a10);
	return rt_cycle_stop() - drv_start;
}

/* Reports the operands that it is called with. */
static __attribute__((noinline)) void
drv_witness(int drv_a0, int drv_a1, int drv_a2, double drv_a3, const double *drv_a4, int drv_a5, const double *drv_a6, int drv_a7, double drv_a8, double *drv_a9, int drv_a10)
{
	(void)drv_a0;
	(void)drv_a1;
	(void)drv_a2;
	(void)drv_a3;
	rt_saw(0, (const void *)drv_a4);
	(void)drv_a5;
	rt_saw(1, (const void *)drv_a6);
	(void)drv_a7;
	(void)drv_a8;
	rt_saw(2, (const void *)drv_a9);
	(void)drv_a10;
}

/* One sample: each call on the next working set, a fence after each. */
static rt_u64
drv_rotate(rt_code *drv_code, void *const *drv_at, const rt_u64 *drv_step,
    const rt_u32 *drv_walk, rt_u64 drv_calls)
{
	drv_routine *const drv_go = (drv_routine *)drv_code;
	const int drv_a0 = (int)(MS + 0LL);
	const int drv_a1 = (int)(NS + 0LL);
	const int drv_a2 = (int)(KS + 0LL);
	const double drv_a3 = (double)1LL;
	const int drv_a5 = (int)(MS + 0LL);
	const int drv_a7 = (int)(KS + 0LL);
	const double drv_a8 = (double)1LL;
	const int drv_a10 = (int)(MS + 0LL);
	void *const drv_a4 = drv_at[0];
	const rt_u64 drv_step4 = drv_step[0];
	void *const drv_a6 = drv_at[1];
	const rt_u64 drv_step6 = drv_step[1];
	void *const drv_a9 = drv_at[2];
	const rt_u64 drv_step9 = drv_step[2];
	const rt_u64 drv_start = rt_cycle_start();

	for (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++) {
		const rt_u64 drv_set = drv_walk[drv_n];

		drv_go(drv_a0, drv_a1, drv_a2, drv_a3, drv_a4 + drv_set * drv_step4, drv_a5, drv_a6 + drv_set * drv_step6, drv_a7, drv_a8, drv_a9 + drv_set * drv_step9, drv_a10);
		rt_fence();
	}
	return rt_cycle_stop() - drv_start;
}

/* One sample: each call on the next working set, without fences. */
static rt_u64
drv_stroll(rt_code *drv_code, void *const *drv_at, const rt_u64 *drv_step,
    const rt_u32 *drv_walk, rt_u64 drv_calls)
{
	drv_routine *const drv_go = (drv_routine *)drv_code;
	const int drv_a0 = (int)(MS + 0LL);
	const int drv_a1 = (int)(NS + 0LL);
	const int drv_a2 = (int)(KS + 0LL);
	const double drv_a3 = (double)1LL;
	const int drv_a5 = (int)(MS + 0LL);
	const int drv_a7 = (int)(KS + 0LL);
	const double drv_a8 = (double)1LL;
	const int drv_a10 = (int)(MS + 0LL);
	void *const drv_a4 = drv_at[0];
	const rt_u64 drv_step4 = drv_step[0];
	void *const drv_a6 = drv_at[1];
	const rt_u64 drv_step6 = drv_step[1];
	void *const drv_a9 = drv_at[2];
	const rt_u64 drv_step9 = drv_step[2];
	const rt_u64 drv_start = rt_cycle_start();

	for (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++) {
		const rt_u64 drv_set = drv_walk[drv_n];

		drv_go(drv_a0, drv_a1, drv_a2, drv_a3, drv_a4 + drv_set * drv_step4, drv_a5, drv_a6 + drv_set * drv_step6, drv_a7, drv_a8, drv_a9 + drv_set * drv_step9, drv_a10);
	}
	return rt_cycle_stop() - drv_start;
}

const struct rt_driver assay_driver = {
	.rt_abi = RT_ABI, .rt_routine = "ATL_USERMM", .rt_clock = "cycle",
	.rt_cxx = "_Z10ATL_USERMMiiidPKdiS0_idPdi",
	.rt_operands = 3, .rt_operand = drv_operand,
	.rt_empty = (rt_code *)drv_empty, .rt_describe = drv_describe, .rt_call = drv_call,
	.rt_repeat = drv_repeat, .rt_rotate = drv_rotate, .rt_stroll = drv_stroll,
	.rt_witness = (rt_code *)drv_witness,
};
