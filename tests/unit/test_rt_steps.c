/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sample does, step by step, for each method: the linker sends the calls of
 * worker/runner/sample/ that move something in or out of a cache, or read a clock, to this file,
 * which notes them and passes them on.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "tests/support/axpy.h"
#include "tests/support/image.h"
#include "worker/runner/method/method.h"
#include "worker/runner/method/proof.h"
#include "worker/runner/method/state.h"
#include "worker/runner/sample/canary.h"

static struct rt_timer	timer;
static char		steps[8192];
static size_t		noted;
static int		is_noting;

static void
note(const char *what, const char *which)
{
	if (is_noting && noted < sizeof steps)
		noted += (size_t)snprintf(steps + noted, sizeof steps - noted, "%s%s%s\n", what,
		    which[0] != '\0' ? " " : "", which);
}

static int
is_in(const void *at, const char *area, uint64_t bytes)
{
	return area != NULL && (const char *)at >= area && (const char *)at < area + bytes;
}

/* "x" at home, "x[3]" in a working set, "x'" of the calls that keep the core awake. */
static const char *
name_of(const void *at)
{
	static char	name[32];

	for (uint32_t k = 0; k < timer.sets.driver->rt_operands; k++) {
		const struct rt_live	*l = &timer.sets.live[k];

		if (is_in(at, l->home, l->bytes))
			return l->operand->rt_name;
		if (is_in(at, timer.shade[k], l->bytes))
			return (void)snprintf(name, sizeof name, "%s'", l->operand->rt_name), name;
		if (is_in(at, l->far, timer.sets.sets * l->step_bytes))
			return (void)snprintf(name, sizeof name, "%s[%" PRIu64 "]",
			    l->operand->rt_name,
			    (uint64_t)((const char *)at - l->far) / l->step_bytes), name;
	}
	if (is_in(at, timer.flush.at, timer.flush.bytes))
		return "area";
	if (timer.image != NULL && (uintptr_t)at == SUPPORT_DATA)
		return "its data";
	if (timer.image != NULL && (uintptr_t)at == SUPPORT_STACK)
		return "its stack";
	if (timer.code.n > 0 && at == timer.code.span[0].at)
		return "code";
	return at == timer.scratch.at ? "scratch" : at == timer.sentinel.home ? "sentinel" : "?";
}

/* ---- the calls that are noted ---- */

#define NOTE(type, name, args, pass, ...)		\
	type	__real_##name args;			\
	type	__wrap_##name args;			\
	type						\
	__wrap_##name args				\
	{						\
		note(__VA_ARGS__);			\
		return __real_##name pass;		\
	}

NOTE(uint32_t, rt_canary, (void), (), "canary", "")
NOTE(uint32_t, rt_pace, (void), (), "pace", "")
NOTE(void, rt_settle, (void), (), "settle", "")
NOTE(int, getrusage, (int who, struct rusage *u), (who, u), "count", "")
NOTE(int, rt_flush_lines, (const struct rt_range *r, uint32_t line), (r, line), "flush",
    name_of(r->at))
NOTE(int, rt_look_up, (const struct rt_range *r, uint32_t line), (r, line), "look up",
    name_of(r->at))
NOTE(void, rt_touch, (const struct rt_range *r, uint32_t line), (r, line), "touch", name_of(r->at))
NOTE(void, rt_store, (const struct rt_range *r, uint32_t line), (r, line), "store", name_of(r->at))
NOTE(void, rt_read_area, (const void *at, uint64_t bytes, uint32_t line), (at, bytes, line), "read",
    name_of(at))
NOTE(void, rt_pollute, (const struct rt_pollution *a, int all), (a, all), all ? "pollute all" : "pollute",
    "")
NOTE(uint32_t, rt_sentinel_read, (const struct rt_sentinel *t), (t), "read", "sentinel")
NOTE(void, rt_sentinel_touch, (const struct rt_sentinel *t), (t), "touch", "sentinel")
NOTE(uint32_t, rt_sentinel_read_far, (const struct rt_sentinel *t, const uint32_t *walk,
    uint64_t calls),
    (t, walk, calls), "read", "far sentinel")
NOTE(void, rt_sentinel_touch_far, (const struct rt_sentinel *t, const uint32_t *walk,
    uint64_t calls),
    (t, walk, calls), "touch", "far sentinel")
NOTE(void, rt_image_restore, (const struct rt_image *m), (m), "restore", "image")
NOTE(void, rt_image_flush, (const struct rt_image *m, uint32_t line), (m, line), "flush", "image")

/* What the canary reads is its own affair. */
uint32_t	__real_rt_memory_canary(uint32_t line_bytes);
uint32_t	__wrap_rt_memory_canary(uint32_t line_bytes);

uint32_t
__wrap_rt_memory_canary(uint32_t line_bytes)
{
	const int	was_noting = is_noting;
	uint32_t	ticks;

	note("memory canary", "");
	is_noting = 0;
	ticks = __real_rt_memory_canary(line_bytes);
	is_noting = was_noting;
	return ticks;
}

/* Each reading is so much later that one call keeps the core awake. */
rt_u64	__wrap_rt_wall_ns(void);

rt_u64
__wrap_rt_wall_ns(void)
{
	static rt_u64	now;

	return now += RUNNER_AWAKE_NS + 1;
}

NOTE(void, rt_proof_look, (const struct rt_timer *t, const struct runner_run *run,
    const uint32_t *walk, struct runner_sample *out),
    (t, run, walk, out), "prove", walk == NULL ? "home" : "far")

NOTE(uint32_t, rt_proof_read, (const char *const *at, uint32_t n), (at, n), "prove", "code")

/* Of the next times, bit by bit. */
static unsigned	due;
int		__wrap_rt_proof_is_due(void);

int
__wrap_rt_proof_is_due(void)
{
	const int	now = due & 1;

	due >>= 1;
	return now;
}

void	__wrap_rt_state_look(struct rt_timer *, const struct runner_run *, const uint32_t *walk);

void
__wrap_rt_state_look(struct rt_timer *t, const struct runner_run *run, const uint32_t *walk)
{
	(void)t, (void)run;
	note("prove state", walk == NULL ? "home" : "far");
}

/* Of the next times, bit by bit. */
static unsigned	state_due;
int		__wrap_rt_state_is_due(struct rt_state *);

int
__wrap_rt_state_is_due(struct rt_state *unused)
{
	const int	now = state_due & 1;

	(void)unused;
	state_due >>= 1;
	return now;
}

void	*__real_memcpy(void *to, const void *from, size_t bytes);
void	*__wrap_memcpy(void *to, const void *from, size_t bytes);

void *
__wrap_memcpy(void *to, const void *from, size_t bytes)
{
	for (uint32_t k = 0; is_noting && k < timer.sets.driver->rt_operands; k++)
		if (from == timer.sets.live[k].first && bytes == timer.sets.live[k].bytes)
			note("restore", name_of(to));
	return __real_memcpy(to, from, bytes);
}

/* ---- a driver that notes its regions ---- */

static void
noted_call(rt_code *code, void *const *at)
{
	note("call", name_of(at[0]));
	call(code, at);
}

static rt_u64
noted_repeat(rt_code *code, void *const *at, rt_u64 calls)
{
	note("region", name_of(at[0]));
	return repeat(code, at, calls);
}

static rt_u64
noted_rotate(rt_code *code, void *const *at, const rt_u64 *step, const rt_u32 *walk, rt_u64 calls)
{
	for (rt_u64 i = 0; i < calls; i++)
		note(i == 0 ? "region" : "  and", name_of((char *)at[1] + walk[i] * step[1]));
	return rotate(code, at, step, walk, calls);
}

static struct rt_driver	noted_driver;

static void
prepare(uint64_t nsets, uint64_t moving)
{
	const struct rt_areas	areas = { .flush_bytes = 8192, .far = { .sets = nsets, .moving = moving } };

	noted_driver = driver;
	noted_driver.rt_call = noted_call;
	noted_driver.rt_repeat = noted_repeat;
	noted_driver.rt_rotate = noted_rotate;
	is_noting = 0;
	assert_null(rt_timer_make(&timer, &noted_driver, &setup));
	assert_null(rt_methods_make(&timer, &areas));
	rt_timer_enter(&timer);
	timer.sentinel.doubted = 1;		/* it is measured before orders only */
}

/* What is noted from the order on. */
static const char *
steps_of(const struct runner_run *run)
{
	static struct runner_lane	lane;

	assert_true(rt_run_is_sound(&timer, run));
	assert_true(rt_run_ready(&timer, run));
	noted = 0;
	steps[0] = '\0';
	is_noting = 1;
	rt_run_samples(&timer, (rt_code *)routine, run, &lane);
	is_noting = 0;
	return steps;
}

#define CORE	"canary\npace\n"

static void
test_rt_steps_warm_operands_are_restored_and_touched(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 2,
	    .restore = RUNNER_RESTORE, .place = { RUNNER_WARM, RUNNER_WARM, RUNNER_WARM } };

	(void)state;
	prepare(0, 0);
	assert_string_equal(steps_of(&run), "restore y\ncount\ntouch x\ntouch y\ntouch z\n"
	    CORE "settle\nregion x\n"
	    CORE "count\n");
	rt_timer_release(&timer);
}

static void
test_rt_steps_dirty_operands_are_stored_to_and_clean_ones_written_back_first(void **state)
{
	static const uint32_t	nowhere[RUNNER_OPERANDS];
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .dirty = 3, .clean = 4, .place = { RUNNER_WARM, RUNNER_IN_L2, RUNNER_WARM } };

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	prepare(0, 0);
	assert_false(rt_run_is_sound(&timer, &run));	/* x is shared with other children */
	assert_null(rt_sets_lay(&timer.sets, &(struct rt_places){ .shift = nowhere, .own = 1 }));
	rt_timer_enter(&timer);
	assert_string_equal(steps_of(&run), "count\nstore y\nread scratch\nstore x\n"
	    "flush z\ntouch z\n" CORE "settle\nregion x\n" CORE "count\n");
	run.flush = RUNNER_FLUSH_LRU;
	run.flush_bytes = 8192;
	run.place[0] = RUNNER_COLD;
	run.clean = 0;
	assert_non_null(strstr(steps_of(&run), "touch sentinel\nstore x\nread area\n"));
	rt_timer_release(&timer);
}

static void
test_rt_steps_operands_of_each_level_are_placed_from_the_outermost_inwards(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .place = { RUNNER_IN_L1, RUNNER_IN_L2, RUNNER_IN_L3 } };

	(void)state;
	prepare(0, 0);
	assert_string_equal(steps_of(&run),
	    "count\ntouch z\nread scratch\ntouch z\nread scratch\ntouch y\nread scratch\n"
	    "touch x\n" CORE "settle\nregion x\n" CORE "count\n");
	rt_timer_release(&timer);
}

static void
test_rt_steps_W27_OneCallFlushX86_flushes_each_cold_operand_and_the_sentinel(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .flush = RUNNER_FLUSH_LINES, .restore = RUNNER_RESTORE, .pollute = 1, .awake = 1,
	    .memory_canary = 1, .warm_calls = 1,
	    .place = { RUNNER_COLD, RUNNER_COLD, RUNNER_WARM } };

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	prepare(0, 0);
	assert_string_equal(steps_of(&run), "restore y'\ncall x'\nrestore y\ncall x\n"
	    "memory canary\nrestore y\nflush x\nflush y\nflush sentinel\npollute\n"
	    "read sentinel\ncount\n"
	    "restore y'\ncall x'\ncount\ntouch z\n" CORE "settle\nregion x\n" CORE "count\n");
	rt_timer_release(&timer);
}

static void
test_rt_steps_W28_page_tables_leave_the_caches_after_all_that_reads_them(void **state)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .flush = RUNNER_FLUSH_LINES, .pollute = RUNNER_POLLUTE_ALL,
	    .place = { RUNNER_COLD, RUNNER_COLD, RUNNER_WARM } };

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	prepare(0, 0);
	assert_false(rt_run_is_sound(&timer, &run));	/* there is no memory for that */
	timer.pollution.tables = (char *)&run;
	assert_string_equal(steps_of(&run), "flush x\nflush y\nflush sentinel\npollute all\n"
	    "read sentinel\ncount\ntouch z\n" CORE "settle\nregion x\n" CORE "count\n");
	timer.pollution.tables = NULL;
	run.pollute = RUNNER_NPOLLUTIONS;
	assert_false(rt_run_is_sound(&timer, &run));
	run.pollute = RUNNER_POLLUTE_INNER;
	assert_true(rt_run_is_sound(&timer, &run));
	rt_timer_release(&timer);
}

/* All that precedes a sample precedes a proof. */
static void
test_rt_steps_a_proof_takes_the_place_of_a_region_and_the_sample_follows(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .flush = RUNNER_FLUSH_LINES, .awake = 1, .place = { RUNNER_COLD, RUNNER_COLD } };
	const char		*before = "flush x\nflush y\nflush z\nflush sentinel\n"
				    "read sentinel\ncount\nrestore y'\ncall x'\ncount\n";
	char			 wanted[1024];

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	prepare(0, 0);
	due = 3;
	snprintf(wanted, sizeof wanted, "restore y'\ncall x'\n%sprove home\n%sprove home\n%s" CORE
	    "settle\nregion x\n" CORE "count\n", before, before, before);
	assert_string_equal(steps_of(&run), wanted);
	assert_int_equal(due, 0);
	rt_timer_release(&timer);
}

/* Nothing comes between the flush of the code and the region but the core's readings. */
static void
test_rt_steps_X9_cold_code_is_flushed_last_and_proved_in_the_place_of_a_region(void **state)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .cold_code = 1, .awake = 1, .place = { RUNNER_WARM, RUNNER_WARM, RUNNER_WARM } };
	const char		*before = "count\nrestore y'\ncall x'\ncount\n"
				    "touch x\ntouch y\ntouch z\nflush code\n";
	char			 wanted[1024];

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	prepare(0, 0);
	rt_code_lines_find(&timer.code, (rt_code *)routine);
	assert_true(timer.code.n > 0);
	due = 1;
	snprintf(wanted, sizeof wanted, "restore y'\ncall x'\n%sprove code\n%s" CORE
	    "settle\nregion x\n" CORE "count\n", before, before);
	assert_string_equal(steps_of(&run), wanted);
	assert_int_equal(due, 0);
	run.kind = RUNNER_EMPTY;
	assert_null(strstr(steps_of(&run), "code"));
	run.kind = RUNNER_SAMPLE;
	run.calls = 2;
	assert_false(rt_run_is_sound(&timer, &run));
	rt_timer_release(&timer);
}

/* The routine is not called between flush and reading: the state is ours alone. */
static void
test_rt_steps_a_state_is_proved_without_a_call_and_the_sample_follows(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .flush = RUNNER_FLUSH_LINES, .awake = 1, .pollute = 1, .restore = RUNNER_RESTORE,
	    .place = { RUNNER_COLD, RUNNER_COLD, RUNNER_IN_L2 } };
	const char		*flush = "restore y\nflush x\nflush y\nflush sentinel\npollute\n";
	char			 wanted[1024];

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	prepare(0, 0);
	state_due = 1;
	snprintf(wanted, sizeof wanted, "restore y'\ncall x'\n"
	    "count\n%stouch z\nread scratch\nprove state home\ncount\n"
	    "%sread sentinel\ncount\nrestore y'\ncall x'\ncount\ntouch z\nread scratch\n" CORE
	    "settle\nregion x\n" CORE "count\n", flush, flush);
	assert_string_equal(steps_of(&run), wanted);
	assert_int_equal(state_due, 0);
	rt_timer_release(&timer);
}

static void
test_rt_steps_without_calls_after_the_flush_nothing_is_proved(void **state)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .flush = RUNNER_FLUSH_LINES };

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	prepare(0, 0);
	due = 1;
	assert_null(strstr(steps_of(&run), "prove"));
	run.awake = 1;
	run.kind = RUNNER_EMPTY;
	assert_null(strstr(steps_of(&run), "prove"));
	run.kind = RUNNER_SAMPLE;
	run.flush = RUNNER_FLUSH_NONE;
	assert_null(strstr(steps_of(&run), "prove"));
	assert_int_equal(due, 1);
	due = 0;
	rt_timer_release(&timer);
}

static void
test_rt_steps_W24_OneCallFlushLRU_brings_cold_operands_in_and_reads_its_area(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .flush = RUNNER_FLUSH_LRU, .flush_bytes = 8192,
	    .place = { RUNNER_COLD, RUNNER_WARM, RUNNER_COLD } };
	struct runner_run	looked_up = run;

	(void)state;
	prepare(0, 0);
	assert_string_equal(steps_of(&run),
	    "touch sentinel\ntouch x\ntouch z\nread area\nread sentinel\ncount\n"
	    "touch y\n" CORE "settle\nregion x\n" CORE "count\n");
	looked_up.look_up = looked_up.pollute = 1;
	if (rt_flush_lines_can())
		assert_string_equal(steps_of(&looked_up),
		    "touch sentinel\ntouch x\ntouch z\nread area\n"
		    "look up x\nlook up z\npollute\nlook up x\nlook up z\npollute\n"
		    "read sentinel\ncount\ntouch y\n" CORE "settle\nregion x\n" CORE "count\n");
	rt_timer_release(&timer);
}

/* The operands of the sets to come that move and are cold. */
static void
test_rt_steps_W33_MultiCallFlushLRU_walks_and_restores_behind_itself(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 2, .calls = 2,
	    .walk = RUNNER_BACKWARD, .restore = RUNNER_RESTORE, .memory_canary = 1, .awake = 1,
	    .place = { RUNNER_WARM, RUNNER_COLD, RUNNER_WARM } };

	(void)state;
	prepare(6, 2);
	assert_string_equal(steps_of(&run), "restore y'\ncall x'\n"
	    "memory canary\nread far sentinel\ncount\nrestore y'\ncall x'\ncount\n"
	    "touch x\ntouch z\n"
	    CORE "settle\nregion y[5]\n  and y[4]\n" CORE "count\n"
	    "touch far sentinel\nrestore y[5]\nrestore y[4]\n"
	    "memory canary\nread far sentinel\ncount\nrestore y'\ncall x'\ncount\n"
	    "touch x\ntouch z\n"
	    CORE "settle\nregion y[3]\n  and y[2]\n" CORE "count\n"
	    "touch far sentinel\nrestore y[3]\nrestore y[2]\n");
	rt_timer_release(&timer);
}

static void
test_rt_steps_W46_separate_outputs_are_touched_where_they_lie(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 2,
	    .walk = RUNNER_AGAIN, .restore = RUNNER_RESTORE,
	    .place = { RUNNER_WARM, RUNNER_WARM, RUNNER_WARM } };

	(void)state;
	prepare(4, 2);
	assert_string_equal(steps_of(&run),
	    "touch y[0]\ntouch y[1]\ncount\ntouch x\ntouch y\ntouch z\n"
	    CORE "settle\nregion y[0]\n  and y[1]\n" CORE "count\nrestore y[0]\nrestore y[1]\n");
	rt_timer_release(&timer);
}

static void
test_rt_steps_an_empty_sample_of_a_walk_does_not_move_it_on(void **state)
{
	const struct runner_run	run = { .kind = RUNNER_EMPTY, .samples = 2, .calls = 1,
	    .walk = RUNNER_FORWARD };

	(void)state;
	prepare(4, 2);
	assert_string_equal(steps_of(&run), "count\n" CORE "settle\nregion y[0]\n" CORE "count\n"
	    "count\n" CORE "settle\nregion y[0]\n" CORE "count\n");
	rt_timer_release(&timer);
}

static struct rt_image	image;
static void		(*before_call)(void);
void			__wrap_rt_image_before_call(void (*)(void));

void
__wrap_rt_image_before_call(void (*each)(void))
{
	before_call = each;
}

static rt_u64
image_region(rt_code *code, void *const *at, rt_u64 calls)
{
	(void)code, (void)at;
	note("region", "");
	if (before_call != NULL)
		before_call();
	return calls;
}

static int
open_image(void **state)
{
	const struct support_image	i = support_image();
	char				path[] = "/tmp/assay-image-XXXXXX";
	const char			*why = NULL;
	int				fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, &i, sizeof i), sizeof i);
	close(fd);
	assert_int_equal(rt_image_open(&image, path, &why), RT_IMAGE_OK);
	return unlink(path);
}

/* Code stays in the cache, as it does with every method. */
static void
test_rt_steps_C13_a_cold_checkpoint_flushes_its_memory_and_a_warm_one_does_not(void **state)
{
	struct rt_driver	d = { .rt_abi = RT_ABI, .rt_checkpoint = 1,
	    .rt_repeat = image_region, .rt_empty = empty };
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
	    .restore = RUNNER_RESTORE, .flush = RUNNER_FLUSH_LINES };

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	assert_null(rt_timer_make(&timer, &d, &setup));
	timer.image = &image;
	rt_timer_enter(&timer);
	assert_string_equal(steps_of(&run),
	    "restore image\nflush image\nflush its data\nflush its stack\n"
	    "flush sentinel\nread sentinel\ncount\n" CORE "settle\nregion\n" CORE "count\n");
	run.flush = RUNNER_FLUSH_NONE;
	assert_string_equal(steps_of(&run), "restore image\ncount\n" CORE "settle\nregion\n"
	    CORE "count\n");
	run.cold_code = 1;
	rt_code_lines_find(&timer.code, (rt_code *)routine);
	due = 1;
	assert_string_equal(steps_of(&run), "restore image\ncount\n" CORE "settle\nregion\n"
	    "flush code\nprove code\n" CORE "count\nrestore image\ncount\n" CORE
	    "settle\nregion\nflush code\n" CORE "count\n");
	rt_timer_release(&timer);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_steps_warm_operands_are_restored_and_touched),
		cmocka_unit_test(
		    test_rt_steps_dirty_operands_are_stored_to_and_clean_ones_written_back_first),
		cmocka_unit_test(
		    test_rt_steps_operands_of_each_level_are_placed_from_the_outermost_inwards),
		cmocka_unit_test(
		    test_rt_steps_W27_OneCallFlushX86_flushes_each_cold_operand_and_the_sentinel),
		cmocka_unit_test(
		    test_rt_steps_W28_page_tables_leave_the_caches_after_all_that_reads_them),
		cmocka_unit_test(
		    test_rt_steps_a_proof_takes_the_place_of_a_region_and_the_sample_follows),
		cmocka_unit_test(
		    test_rt_steps_X9_cold_code_is_flushed_last_and_proved_in_the_place_of_a_region),
		cmocka_unit_test(
		    test_rt_steps_a_state_is_proved_without_a_call_and_the_sample_follows),
		cmocka_unit_test(test_rt_steps_without_calls_after_the_flush_nothing_is_proved),
		cmocka_unit_test(
		    test_rt_steps_W24_OneCallFlushLRU_brings_cold_operands_in_and_reads_its_area),
		cmocka_unit_test(
		    test_rt_steps_W33_MultiCallFlushLRU_walks_and_restores_behind_itself),
		cmocka_unit_test(test_rt_steps_W46_separate_outputs_are_touched_where_they_lie),
		cmocka_unit_test(test_rt_steps_an_empty_sample_of_a_walk_does_not_move_it_on),
#if defined(__x86_64__)
		cmocka_unit_test_setup(
		    test_rt_steps_C13_a_cold_checkpoint_flushes_its_memory_and_a_warm_one_does_not,
		    open_image),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
