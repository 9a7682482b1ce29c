/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/plan/plan.h"
#include "worker/plan/sizes.h"

static const struct slot	slot = { .cpu = 1, .l1_bytes = 48 << 10, .l2_bytes = 1 << 20, .l3_bytes = 32 << 20,
				    .line_bytes = 64 };
static const struct tick	tick = { .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };

#define DOT(n, x, more) \
	"{'routine': 'double dot(int n, const double *x, const double *y)', 'params': {'N': " n "}," \
	"'args': {'n': 'N', 'x': {'dims': ['N'] " x "}, 'y': {'dims': ['N']}} " more "}"

/* The plan for a spec; ST_OK or why there is none. */
static enum status
make(struct plan *p, struct job *job, const char *spec, bool can_flush, struct fault *why)
{
	support_spec_job(job, spec);
	return plan_make(p, &job->spec, &slot, can_flush, why);
}

static struct plan
plan_of(const char *spec)
{
	struct plan	p;
	struct job	job;
	struct fault	why;

	assert_int_equal(make(&p, &job, spec, true, &why), ST_OK);
	job_release(&job);
	return p;
}

static enum status
refusal(const char *spec, bool can_flush, struct fault *why)
{
	struct plan	p;
	struct job	job;
	enum status	st = make(&p, &job, spec, can_flush, why);

	job_release(&job);
	return st;
}

#define IMAGE(more)	"{'routine': 'long walk(void *list)', 'checkpoint': 'walk.image'" more "}"

static void
test_plan_P39_an_image_is_restored_for_each_sample_of_one_call(void **state)
{
	struct plan	p = plan_of(IMAGE(""));

	(void)state;
	assert_ptr_equal(p.method, &plan_image);
	assert_string_equal(plan_method_name(&p), "Checkpoint");
	assert_false(p.is_open || p.may_wake || p.is_whole || plan_flushes(&p));
	assert_true(p.run.calls == 1 && p.most_calls == 1 && p.samples == PLAN_SAMPLES_COLD);
	assert_int_equal(p.run.restore, RUNNER_RESTORE);
	assert_int_equal(p.guard, GUARD_NONE);
	assert_int_equal(plan_of(IMAGE(", 'timing': {'samples': 5}")).samples, 5);
}

static void
test_plan_C13_a_cold_image_is_flushed_by_instruction_or_not_at_all(void **state)
{
	struct plan	p = plan_of(IMAGE(", 'context': 'cold'"));
	struct fault	why;

	(void)state;
	assert_int_equal(p.run.flush, RUNNER_FLUSH_LINES);
	assert_true(p.is_whole && plan_flushes(&p) && !p.run.pollute && !p.run.memory_canary);
	assert_int_equal(refusal(IMAGE(", 'context': 'cold'"), false, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.context");
}

static void
test_plan_W4_cold_is_the_default_and_W15_takes_31_samples(void **state)
{
	struct plan	p = plan_of(DOT("1000", "", ""));

	(void)state;
	assert_ptr_equal(p.method, &plan_one_x86);
	assert_true(p.is_open);
	assert_int_equal(p.samples, 31);
	assert_int_equal(p.run.flush, RUNNER_FLUSH_LINES);
	assert_int_equal(p.run.place[0], RUNNER_COLD);
	assert_int_equal(p.run.place[1], RUNNER_COLD);
	assert_int_equal(p.run.warm_calls, 1);
}

static void
test_plan_X9_cold_code_takes_one_call_a_sample_wherever_the_operands_are(void **state)
{
	struct plan	warm = plan_of(DOT("1000", "", ", 'context': 'warm', 'code': 'cold'"));
	struct plan	cold = plan_of(DOT("1000", "", ", 'code': 'cold'"));
	struct plan	placed = plan_of(DOT("1000", ", 'cache': 'L2'", ", 'code': 'cold'"));
	struct plan	image = plan_of(IMAGE(", 'code': 'cold'"));
	const struct plan *all[] = { &warm, &cold, &placed, &image };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		assert_true(plan_has_cold_code(all[i]) && !plan_has_code_in_cache(all[i]));
		assert_true(plan_flushes(all[i]) && !all[i]->is_open);
		assert_true(all[i]->run.calls == 1 && all[i]->most_calls == 1);
		assert_int_equal(all[i]->samples, PLAN_SAMPLES_COLD);
	}
	assert_string_equal(plan_method_name(&warm), "OneCallFlushX86");
	assert_true(warm.run.flush == RUNNER_FLUSH_NONE && !warm.is_whole && !warm.run.pollute);
	assert_int_equal(cold.run.flush, RUNNER_FLUSH_LINES);
	plan_warm_operands(&cold);
	assert_false(plan_has_cold_code(&cold));
}

static void
test_plan_X9_cold_code_is_refused_where_no_instruction_flushes_it(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(refusal(DOT("9", "", ", 'code': 'cold'"), false, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.code");
}

static void
test_plan_warm_flushes_nothing_and_takes_7_samples_of_as_many_calls_as_needed(void **state)
{
	struct plan	p = plan_of(DOT("1000", "", ", 'context': 'warm'"));

	(void)state;
	assert_ptr_equal(p.method, &plan_warm);
	assert_int_equal(p.samples, PLAN_SAMPLES_WARM);
	assert_int_equal(p.run.flush, RUNNER_FLUSH_NONE);
	assert_int_equal(p.most_calls, SPEC_MAX_CALLS);
	assert_string_equal(plan_method_name(&p), "none");
}

static void
test_plan_W14_samples_and_calls_are_options(void **state)
{
	struct plan	p = plan_of(DOT("1000", "", ", 'context': 'warm', 'timing': {'samples': 3, 'calls': 40}"));

	(void)state;
	assert_int_equal(p.samples, 3);
	assert_true(p.calls_given);
	assert_int_equal(p.run.calls, 40);
}

static void
test_plan_P38_W8_the_method_is_the_one_that_was_named(void **state)
{
	struct plan	x86 = plan_of(DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushX86'}}"));
	struct plan	lru = plan_of(DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushLRU'}}"));
	struct plan	multi = plan_of(DOT("1000", "", ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"));

	(void)state;
	assert_false(x86.is_open || lru.is_open || multi.is_open);
	assert_ptr_equal(x86.method, &plan_one_x86);
	assert_int_equal(x86.run.calls, 1);
	assert_int_equal(lru.run.flush, RUNNER_FLUSH_LRU);
	assert_string_equal(plan_method_name(&multi), "MultiCallFlushLRU");
	assert_int_equal(multi.run.flush, RUNNER_FLUSH_NONE);
	assert_int_equal(multi.run.walk, RUNNER_RANDOM);
	assert_int_equal(multi.moving, 3);
}

static void
test_plan_P19_W26_the_flush_area_is_3_caches_or_what_was_asked_for(void **state)
{
	struct plan	lru = plan_of(DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushLRU'}}"));
	struct plan	own = plan_of(DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushLRU', "
	    "'bytes': 1000000}}"));

	(void)state;
	assert_int_equal(lru.run.flush_bytes, SIZES_LRU_CACHES * slot.l3_bytes);
	assert_int_equal(own.run.flush_bytes, 1000000);
}

static void
test_plan_W33_W35_sets_together_are_at_least_4_caches_and_whole(void **state)
{
	struct plan	p = plan_of(DOT("1000", "", ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"));

	(void)state;
	assert_true(p.sets * 16000 >= 4 * slot.l3_bytes);
	assert_true((p.sets - 1) * 16000 < 4 * slot.l3_bytes);
	assert_int_equal(p.most_calls, p.sets);
}

static void
test_plan_W38_the_area_of_a_strided_operand_goes_by_the_lines_it_touches(void **state)
{
	struct plan	p = plan_of("{'routine': 'double f(const double *x)', 'args': {'x': {'dims': [3200], "
	    "'stride': 32}},"
			    "'timing': {'flush': {'method': 'MultiCallFlushLRU'}}}");

	(void)state;
	assert_int_equal(p.sets, (4 * slot.l3_bytes + 100 * 64 - 1) / (100 * 64));
}

static void
test_plan_W40_P40_a_partial_flush_reads_that_many_bytes(void **state)
{
	struct plan	one = plan_of(DOT("1000", "", ", 'context': {'flush_bytes': 524288}"));
	struct plan	many = plan_of(DOT("1000", "", ", 'context': {'flush_bytes': 524288},"
			    "'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"));

	(void)state;
	assert_ptr_equal(one.method, &plan_one_lru);
	assert_false(one.is_open);
	assert_int_equal(one.run.flush_bytes, 524288);
	assert_int_equal(many.sets, (524288 + 15999) / 16000 + 0);
}

static void
test_plan_W29_a_level_is_flushed_by_more_than_it_holds_and_less_than_the_next_does(void **state)
{
	struct job	job;
	struct fault	why;
	struct plan	p;
	struct slot	small = slot;

	(void)state;
	assert_int_equal(plan_of(DOT("1000", "", ", 'context': {'flush_level': 'L1'}")).run.flush_bytes,
	    SIZES_LEVEL_CACHES * slot.l1_bytes);
	assert_int_equal(plan_of(DOT("1000", "", ", 'context': {'flush_level': 'L2'}")).run.flush_bytes,
	    SIZES_LEVEL_CACHES * slot.l2_bytes);
	p = plan_of(DOT("1000", "", ", 'context': {'flush_level': 'L3'}"));
	assert_int_equal(p.run.flush_bytes, SIZES_LRU_CACHES * slot.l3_bytes);
	assert_ptr_equal(p.method, &plan_one_lru);
	assert_true(p.is_whole && p.run.pollute == RUNNER_POLLUTE_ALL);

	small.l3_bytes = 0;
	support_spec_job(&job, DOT("1000", "", ", 'context': {'flush_level': 'L3'}"));
	assert_int_equal(plan_make(&p, &job.spec, &small, true, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.context.flush_level");
	job_release(&job);
}

/* Else a flush by size would be colder than a cold context. */
static void
test_plan_P40_a_flush_of_as_much_as_all_caches_need_is_as_whole_as_a_cold_context(void **state)
{
	struct slot	calibrated = slot;
	struct job	job;
	struct fault	why;
	struct plan	p, cold = plan_of(DOT("1000", "",
			    ", 'timing': {'flush': {'method': 'OneCallFlushLRU'}}"));

	(void)state;
	calibrated.flush_bytes = 128 << 20;
	support_spec_job(&job, DOT("1000", "", ", 'context': {'flush_bytes': 134217728}"));
	assert_int_equal(plan_make(&p, &job.spec, &slot, true, &why), ST_OK);
	assert_false(p.is_whole || p.run.pollute || p.run.look_up);
	assert_int_equal(plan_make(&p, &job.spec, &calibrated, true, &why), ST_OK);
	assert_true(p.is_whole && cold.is_whole);
	assert_int_equal(p.run.flush_bytes, 134217728);
	assert_int_equal(p.run.pollute, cold.run.pollute);
	assert_int_equal(p.run.pollute, RUNNER_POLLUTE_ALL);
	assert_int_equal(p.run.look_up, cold.run.look_up);
	job_release(&job);
}

static void
test_plan_W39_what_its_data_lead_is_never_moved_through_sets(void **state)
{
	struct plan	p = plan_of(DOT("1000", "", ", 'data_sensitive': true"));

	(void)state;
	assert_ptr_equal(p.method, &plan_one_x86);
	assert_false(p.is_open);
	assert_true(p.is_whole);
}

static void
test_plan_W61_areas_are_as_many_times_larger_as_a_routine_has_cpus(void **state)
{
	struct slot	two = slot;
	struct job	job;
	struct fault	why;
	struct plan	p;

	(void)state;
	two.cpus = 2;
	support_spec_job(&job, DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushLRU'}}"));
	assert_int_equal(plan_make(&p, &job.spec, &two, true, &why), ST_OK);
	assert_int_equal(p.cpus, 2);
	assert_int_equal(p.run.flush_bytes, SIZES_LRU_CACHES * slot.l3_bytes);	/* on each */
	assert_int_equal(plan_area_bytes(&p, &job.spec, &two), 2 * SIZES_LRU_CACHES * slot.l3_bytes);
	job_release(&job);
	support_spec_job(&job, DOT("1000", "", ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"));
	assert_int_equal(plan_make(&p, &job.spec, &two, true, &why), ST_OK);
	assert_true(p.sets * 16000 >= 8 * slot.l3_bytes);
	job_release(&job);
}

static void
test_plan_P12_W30_each_operand_has_its_own_state(void **state)
{
	struct plan	p = plan_of(DOT("1000", ", 'cache': 'warm'", ""));
	struct plan	l2 = plan_of(DOT("1000", ", 'cache': 'L2'", ""));

	(void)state;
	assert_int_equal(p.run.place[0], RUNNER_WARM);
	assert_int_equal(p.run.place[1], RUNNER_COLD);
	assert_int_equal(p.moving, 2);
	assert_int_equal(l2.run.place[0], RUNNER_IN_L2);
	assert_int_equal(l2.most_calls, 1);
	assert_false(l2.is_open);
}

static void
test_plan_a_state_that_holds_for_one_call_makes_samples_of_one(void **state)
{
	struct fault	why;
	struct plan	plain = plan_of(DOT("1000", "", ", 'context': 'warm'"));
	struct plan	dirty = plan_of(DOT("1000", ", 'state': 'dirty'", ", 'context': 'warm'"));
	struct plan	beside = plan_of(DOT("1000", ", 'cache': 'L1', 'state': 'dirty'", ""));
	struct plan	out = plan_of("{'routine': 'void f(double *x)', 'context': 'warm',"
	    "'args': {'x': {'dims': [8], 'access': 'out'}}}");
	struct plan	clean = plan_of("{'routine': 'void f(double *x)', 'context': 'warm',"
	    "'args': {'x': {'dims': [8], 'state': 'clean'}}}");

	(void)state;
	assert_true(plain.run.dirty == 0 && plain.run.clean == 0 && plain.most_calls > 1);
	assert_true(dirty.run.dirty == 1 && dirty.most_calls == 1 && !plan_may_repeat(&dirty));
	assert_true(beside.run.dirty == 1 && beside.moving == 2 && !beside.is_open);
	assert_true(out.run.dirty == 1 && out.run.clean == 0 && out.most_calls > 1);
	assert_true(clean.run.dirty == 0 && clean.run.clean == 1 && clean.most_calls == 1);
	plan_warm_operands(&clean);
	assert_true(clean.run.clean == 0);
	assert_int_equal(refusal("{'routine': 'void f(double *x)', 'context': 'warm',"
	    "'args': {'x': {'dims': [8], 'state': 'clean'}}}", false, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.args");
}

static void
test_plan_W37_the_walk_is_an_option(void **state)
{
	(void)state;
	assert_int_equal(plan_of(DOT("1000", "", ", 'timing': {'flush': {'walk': 'random'}}")).run.walk, RUNNER_RANDOM);
	assert_int_equal(plan_of(DOT("1000", "", ", 'timing': {'flush': {'walk': 'forward'}}")).run.walk,
	    RUNNER_FORWARD);
}

static void
test_plan_P38_auto_takes_many_calls_exactly_if_one_is_short_against_the_clock(void **state)
{
	struct plan	p;
	struct job	job;
	struct fault	why;

	(void)state;
	assert_int_equal(make(&p, &job, DOT("1000", "", ""), true, &why), ST_OK);
	plan_close(&p, &job.spec, &slot, &tick, 640);
	assert_ptr_equal(p.method, &plan_one_x86);
	assert_false(p.is_open);
	p.is_open = true;
	plan_close(&p, &job.spec, &slot, &tick, 639);
	assert_ptr_equal(p.method, &plan_multi);
	assert_false(p.is_open);
	assert_true(p.sets > 1);
	job_release(&job);
}

static void
test_plan_W28_a_cold_call_finds_a_cold_tlb_and_full_caches_unless_told_otherwise_or_flushed_in_part(void **state)
{
	(void)state;
	assert_true(plan_of(DOT("1000", "", "")).run.pollute);
	assert_true(plan_of(DOT("1000", "",
	    ", 'timing': {'flush': {'method': 'OneCallFlushLRU'}}")).run.pollute);
	assert_false(plan_of(DOT("1000", "", ", 'timing': {'flush': {'tlb': false}}")).run.pollute);
	assert_false(plan_of(DOT("1000", "",
	    ", 'timing': {'flush': {'bytes': 4096}}")).run.pollute);
	assert_true(plan_of(DOT("1000", "",
	    ", 'timing': {'flush': {'bytes': 4096, 'tlb': true}}")).run.pollute);
	assert_false(plan_of(DOT("1000", "", ", 'context': {'flush_bytes': 4096}")).run.pollute);
	assert_false(plan_of(DOT("1000", "", ", 'context': 'warm'")).run.pollute);
	assert_true(plan_of(DOT("1000", "",
	    ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}")).run.pollute);
	assert_false(plan_of(DOT("1000", "", ", 'timing': {'flush': {'tlb': false}}")).is_open);
}

#define TABLES(flush)	DOT("1000", "", ", 'timing': {'flush': {" flush "}}")

static void
test_plan_W28_P40_page_tables_are_in_memory_unless_they_shall_be_in_a_cache(void **state)
{
	static const struct {
		const char	*job;
		enum runner_pollution	 pollute;
		bool		 looks_up;
		const char	*tables;
	} jobs[] = {
		{ DOT("1000", "", ""), RUNNER_POLLUTE_ALL, false, "memory" },
		{ TABLES("'method': 'OneCallFlushX86'"), RUNNER_POLLUTE_ALL, false, "memory" },
		{ TABLES("'method': 'OneCallFlushLRU'"), RUNNER_POLLUTE_ALL, false, "memory" },
		{ TABLES("'method': 'MultiCallFlushLRU'"), RUNNER_POLLUTE_ALL, false, "memory" },
		{ TABLES("'page_tables': 'memory'"), RUNNER_POLLUTE_ALL, false, "memory" },
		{ TABLES("'page_tables': 'cached'"), RUNNER_POLLUTE_INNER, true, "cached" },
		{ TABLES("'page_tables': 'cached', 'method': 'OneCallFlushLRU'"),
		    RUNNER_POLLUTE_INNER, true, "cached" },
		{ TABLES("'page_tables': 'cached', 'method': 'MultiCallFlushLRU'"),
		    RUNNER_POLLUTE_INNER, true, "cached" },
		{ TABLES("'tlb': false"), RUNNER_POLLUTE_NONE, false, "cached" },
		{ TABLES("'method': 'OneCallFlushLRU', 'bytes': 4096"), RUNNER_POLLUTE_NONE, false, NULL },
		{ DOT("1000", "", ", 'context': {'flush_bytes': 4096}"), RUNNER_POLLUTE_NONE, false, NULL },
		{ DOT("1000", "", ", 'context': 'warm'"), RUNNER_POLLUTE_NONE, false, NULL },
	};
	struct plan	p;

	(void)state;
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
		p = plan_of(jobs[i].job);
		assert_int_equal(p.run.pollute, jobs[i].pollute);
		assert_int_equal(p.run.look_up, jobs[i].looks_up);
		if (jobs[i].tables == NULL)
			assert_null(plan_page_tables(&p));
		else
			assert_string_equal(plan_page_tables(&p), jobs[i].tables);
	}
}

static void
test_plan_W26_a_pass_for_page_tables_is_a_part_of_the_calibrated_flush_and_has_a_limit(void **state)
{
	struct slot	s = slot;

	(void)state;
	s.flush_bytes = 0;
	s.l3_bytes = 32 << 20;
	assert_int_equal(sizes_of_tables(&s), 48 << 20);
	s.flush_bytes = 256 << 20;
	assert_int_equal(sizes_of_tables(&s), 64 << 20);
	s.flush_bytes = (size_t)768 << 20;
	assert_int_equal(sizes_of_tables(&s), 128 << 20);
}

static void
test_plan_the_core_is_kept_awake_for_short_calls_on_few_operands(void **state)
{
	struct plan	cold = plan_of(DOT("1000", "", "")), large = plan_of(DOT("5000000", "", ""));
	struct plan	little = plan_of(DOT("1000", "", ", 'context': {'flush_bytes': 65536}"));
	struct plan	much = plan_of(DOT("1000", "", ", 'context': {'flush_bytes': 67108864}"));

	(void)state;
	assert_true(plan_wakes(&cold, 1e5));
	assert_false(plan_wakes(&cold, 1e7));
	assert_false(plan_wakes(&large, 1e5));
	assert_false(plan_wakes(&little, 1e5));
	assert_true(plan_wakes(&much, 1e5));
}

static void
test_plan_a_machine_without_a_flush_instruction_reads_other_memory(void **state)
{
	struct plan	p;
	struct job	job;
	struct fault	why;

	(void)state;
	assert_int_equal(make(&p, &job, DOT("1000", "", ""), false, &why), ST_OK);
	assert_ptr_equal(p.method, &plan_one_lru);
	job_release(&job);
	assert_int_equal(refusal(DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushX86'}}"), false, &why),
	    ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.timing.flush.method");
}

static void
test_plan_what_moving_sets_cannot_do_is_refused_by_name(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(refusal(DOT("1000", ", 'cache': 'L2'",
	    ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"), true,
	    &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.timing.flush.method");
	assert_int_equal(refusal(DOT("1000000", "", ", 'timing': {'calls': 50, 'flush': {'method': "
	    "'MultiCallFlushLRU'}}"), true,
	    &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.timing.calls");
}

static void
test_plan_inout_operands_are_restored(void **state)
{
	struct plan	p = plan_of("{'routine': 'void f(double *y)', 'args': {'y': {'dims': [9]}}}");
	struct plan	out = plan_of("{'routine': 'void f(double *y)', 'args': {'y': {'dims': [9], 'access': "
	    "'out'}}}");

	(void)state;
	assert_true(p.has_inout);
	assert_int_equal(p.run.restore, RUNNER_RESTORE);
	assert_false(out.has_inout);
	assert_int_equal(out.run.restore, RUNNER_KEEP);
}

static void
test_plan_P37_calls_grow_until_a_region_is_long_for_the_clock(void **state)
{
	struct plan	p = plan_of(DOT("1000", "", ", 'context': 'warm'"));
	uint64_t	calls = 1, more;
	int		steps = 0;

	(void)state;
	while ((more = plan_more_calls(&p, &tick, calls, 20.0 * (double)calls)) != calls) {
		assert_true(more >= 2 * calls);
		calls = more;
		assert_true(++steps < 20);
	}
	assert_true(calls * 20 >= 20000 && calls * 20 <= 100000);
	assert_int_equal(plan_more_calls(&p, &tick, 1, 25000), 1);
	assert_int_equal(plan_more_calls(&p, &tick, 1 << 23, 0), SPEC_MAX_CALLS);
	assert_int_equal(plan_more_calls(&p, &tick, SPEC_MAX_CALLS, 0), SPEC_MAX_CALLS);
}

static void
test_plan_a_routine_without_operands_has_nothing_to_flush(void **state)
{
	struct plan	p = plan_of("{'routine': 'double f(double a)', 'args': {'a': 2}}");

	(void)state;
	assert_ptr_equal(p.method, &plan_warm);
}

static void
test_plan_W26_flush_area_is_as_given_else_as_calibrated_else_three_caches(void **state)
{
	static const struct {
		const char	*spec;
		size_t		 calibrated;
		uint64_t	 bytes;
		const char	*size;
	} cases[] = {
		{ DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushLRU'}}"), 0, 256 << 20,
		  "default" },
		{ DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushLRU'}}"), 80 << 20, 80 << 20,
		  "calibrated" },
		{ DOT("1000", "", ", 'timing': {'flush': {'method': 'OneCallFlushLRU', 'bytes': 5000}}"),
		  80 << 20, 5000, "given" },
		{ DOT("1000", "", ", 'context': {'flush_bytes': 7000}"), 80 << 20, 7000, "given" },
	};
	struct slot	own = slot;
	struct plan	p;
	struct job	job;
	struct fault	why;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		own.flush_bytes = cases[i].calibrated;
		support_spec_job(&job, cases[i].spec);
		assert_int_equal(plan_make(&p, &job.spec, &own, true, &why), ST_OK);
		assert_int_equal(p.flush_bytes, cases[i].bytes);
		assert_int_equal(p.run.flush_bytes, cases[i].bytes);
		assert_string_equal(plan_origin_name(p.origin), cases[i].size);
		job_release(&job);
	}
	assert_null(plan_origin_name(plan_of(DOT("1000", "", "")).origin));
}

/* ---- RangeGuard ---- */

#define AXPY(more, guard) \
	"{'routine': 'void axpy(int n, double alpha, const double *x, double *y)', 'params': {'N': 1000}," \
	"'args': {'n': 'N', 'alpha': 2, 'x': {'dims': ['N']}, 'y': {'dims': ['N']}}," more \
	" 'timing': {'range_guard': " guard "}}"

static void
test_plan_W44_W45_inout_operands_are_restored_unless_a_sign_alternates(void **state)
{
	static const char *const	kept[] = { AXPY("", "'alternate'"), AXPY("", "'pair'"), AXPY("", "'none'") };

	(void)state;
	assert_int_equal(plan_of(AXPY("", "'auto'")).run.restore, RUNNER_RESTORE);
	assert_int_equal(plan_of(AXPY("", "'auto'")).guard, GUARD_RESTORE);
	assert_int_equal(plan_of(AXPY("", "'restore'")).run.restore, RUNNER_RESTORE);
	assert_int_equal(plan_of(DOT("1000", "", "")).guard, GUARD_NONE);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(plan_of(kept[i]).run.restore, RUNNER_KEEP);
}

static void
test_plan_W46_separate_outputs_of_a_warm_routine_are_the_same_in_every_sample(void **state)
{
	struct plan	p = plan_of(AXPY("'context': 'warm',", "'separate'"));

	(void)state;
	assert_ptr_equal(p.method, &plan_warm);
	assert_int_equal(p.moving, 2);
	assert_int_equal(p.run.walk, RUNNER_AGAIN);
	assert_int_equal(p.run.restore, RUNNER_RESTORE);
	assert_int_equal(p.most_calls, p.sets);
	assert_true(p.sets > 1 && p.sets * 8000 <= slot.l3_bytes / 2);
	p = plan_of(AXPY("'context': 'warm',", "'separate', 'calls': 40"));
	assert_true(p.sets == 40 && p.most_calls == 40);
	p = plan_of(AXPY("'context': 'warm',", "'separate', 'calls': 40, 'difference': true"));
	assert_true(p.sets == 80 && p.most_calls == 40);
}

static void
test_plan_W46_separate_outputs_of_a_cold_routine_are_those_of_many_calls(void **state)
{
	struct plan	p = plan_of(AXPY("", "'separate'"));

	(void)state;
	assert_ptr_equal(p.method, &plan_multi);
	assert_false(p.is_open);
	assert_int_equal(p.moving, 3);
	assert_int_equal(p.most_calls, p.sets);
}

static void
test_plan_W45_a_pair_takes_twice_the_memory_but_not_of_the_cache(void **state)
{
	struct job	job;
	struct plan	one, two;

	(void)state;
	one = plan_of(AXPY("", "'separate'"));
	support_spec_job(&job, AXPY("", "'separate'"));
	uint64_t	one_bytes = plan_area_bytes(&one, &job.spec, &slot);
	job_release(&job);
	support_spec_job(&job, "{'routine': 'void axpy(int n, double alpha, const double *x, double *y)', 'params': "
	    "{'N': 1000}, 'args': {'n': 'N', 'alpha': 2, 'x': {'dims': ['N']}, 'y': {'dims': ['N']}},"
	    "'timing': {'range_guard': 'pair', 'flush': {'method': 'MultiCallFlushLRU'}}}");
	struct fault	why;
	assert_int_equal(plan_make(&two, &job.spec, &slot, true, &why), ST_OK);
	assert_int_equal(two.sets, one.sets);
	one_bytes -= one.sets * PLAN_SET_BYTES;
	assert_int_equal(2 * (plan_area_bytes(&two, &job.spec, &slot) - two.sets * PLAN_SET_BYTES),
	    3 * one_bytes);
	job_release(&job);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_plan_P39_an_image_is_restored_for_each_sample_of_one_call),
		cmocka_unit_test(test_plan_C13_a_cold_image_is_flushed_by_instruction_or_not_at_all),
		cmocka_unit_test(test_plan_W26_flush_area_is_as_given_else_as_calibrated_else_three_caches),
		cmocka_unit_test(test_plan_W4_cold_is_the_default_and_W15_takes_31_samples),
		cmocka_unit_test(
		    test_plan_X9_cold_code_takes_one_call_a_sample_wherever_the_operands_are),
		cmocka_unit_test(
		    test_plan_X9_cold_code_is_refused_where_no_instruction_flushes_it),
		cmocka_unit_test(test_plan_warm_flushes_nothing_and_takes_7_samples_of_as_many_calls_as_needed),
		cmocka_unit_test(test_plan_W14_samples_and_calls_are_options),
		cmocka_unit_test(test_plan_P38_W8_the_method_is_the_one_that_was_named),
		cmocka_unit_test(test_plan_P19_W26_the_flush_area_is_3_caches_or_what_was_asked_for),
		cmocka_unit_test(test_plan_W33_W35_sets_together_are_at_least_4_caches_and_whole),
		cmocka_unit_test(test_plan_W38_the_area_of_a_strided_operand_goes_by_the_lines_it_touches),
		cmocka_unit_test(test_plan_W40_P40_a_partial_flush_reads_that_many_bytes),
		cmocka_unit_test(test_plan_W29_a_level_is_flushed_by_more_than_it_holds_and_less_than_the_next_does),
		cmocka_unit_test(test_plan_P40_a_flush_of_as_much_as_all_caches_need_is_as_whole_as_a_cold_context),
		cmocka_unit_test(test_plan_W39_what_its_data_lead_is_never_moved_through_sets),
		cmocka_unit_test(test_plan_W61_areas_are_as_many_times_larger_as_a_routine_has_cpus),
		cmocka_unit_test(test_plan_P12_W30_each_operand_has_its_own_state),
		cmocka_unit_test(test_plan_a_state_that_holds_for_one_call_makes_samples_of_one),
		cmocka_unit_test(test_plan_W37_the_walk_is_an_option),
		cmocka_unit_test(test_plan_P38_auto_takes_many_calls_exactly_if_one_is_short_against_the_clock),
		cmocka_unit_test(test_plan_W28_P40_page_tables_are_in_memory_unless_they_shall_be_in_a_cache),
		cmocka_unit_test(test_plan_W26_a_pass_for_page_tables_is_a_part_of_the_calibrated_flush_and_has_a_limit),
		cmocka_unit_test(test_plan_W28_a_cold_call_finds_a_cold_tlb_and_full_caches_unless_told_otherwise_or_flushed_in_part),
		cmocka_unit_test(test_plan_the_core_is_kept_awake_for_short_calls_on_few_operands),
		cmocka_unit_test(test_plan_a_machine_without_a_flush_instruction_reads_other_memory),
		cmocka_unit_test(test_plan_what_moving_sets_cannot_do_is_refused_by_name),
		cmocka_unit_test(test_plan_inout_operands_are_restored),
		cmocka_unit_test(test_plan_P37_calls_grow_until_a_region_is_long_for_the_clock),
		cmocka_unit_test(test_plan_a_routine_without_operands_has_nothing_to_flush),
		cmocka_unit_test(test_plan_W44_W45_inout_operands_are_restored_unless_a_sign_alternates),
		cmocka_unit_test(test_plan_W46_separate_outputs_of_a_warm_routine_are_the_same_in_every_sample),
		cmocka_unit_test(test_plan_W46_separate_outputs_of_a_cold_routine_are_those_of_many_calls),
		cmocka_unit_test(test_plan_W45_a_pair_takes_twice_the_memory_but_not_of_the_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
