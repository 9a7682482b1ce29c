/* SPDX-License-Identifier: Apache-2.0 */
/* What the supervisor makes of the image that a spec names, and of what its checks left. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/wire/runner_shm.h"
#include "tests/support/driver.h"
#include "tests/support/image.h"
#include "worker/check/checkpoint.h"

enum { OUTPUT = RUNNER_MEMORY_AT(8) + IMAGE_PAGE };

static struct support_image
image_of_this_machine(void)
{
	struct support_image	i = support_image();

#if defined(__x86_64__)
	image_read_cpu(&i.header.cpu);
#endif
	return i;
}

static void
put_image(const char *name, const struct support_image *i)
{
	char	path[128];
	FILE	*f;

	snprintf(path, sizeof path, "%s/%s", support_own_dir(), name);
	assert_non_null(f = fopen(path, "w"));
	assert_int_equal(fwrite(i, sizeof *i, 1, f), 1);
	assert_int_equal(fclose(f), 0);
}

static void
make_job(struct job *job, const char *routine)
{
	char	spec[256];

	snprintf(spec, sizeof spec, "{'routine': 'long %s(void *list)', 'checkpoint': 'an.image'}",
	    routine);
	support_spec_job(job, spec);
}

static enum status
open_for(struct checkpoint *c, const char *routine, const char *dir, bool *changed,
    struct fault *why)
{
	struct job	job;
	enum status	st;

	make_job(&job, routine);
	st = checkpoint_open(c, dir, &job.spec, changed, why);
	job_release(&job);
	return st;
}

static void
assert_refused(const char *routine, const char *dir, const char *words)
{
	struct checkpoint	c;
	struct fault		why;
	bool			changed;

	checkpoint_init(&c);
	assert_int_equal(open_for(&c, routine, dir, &changed, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.checkpoint");
	assert_non_null(strstr(why.text, words));
	assert_true(why.hint[0] != '\0');
	checkpoint_release(&c);
}

static void
test_checkpoint_P39_an_image_is_copied_hashed_and_kept_until_it_changes(void **state)
{
	struct support_image	i = image_of_this_machine();
	struct checkpoint	c;
	struct fault		why;
	struct hash		first;
	bool			changed;

	(void)state;
	put_image("an.image", &i);
	checkpoint_init(&c);
	assert_int_equal(open_for(&c, "walk", support_own_dir(), &changed, &why), ST_OK);
	assert_true(changed);
	assert_int_equal(c.bytes, sizeof i);
	first = c.digest;
	assert_int_equal(open_for(&c, "walk", support_own_dir(), &changed, &why), ST_OK);
	assert_false(changed);
	i.memory[1][100]++;
	assert_int_equal(unlink(strcat(strcpy((char[128]){ 0 }, support_own_dir()), "/an.image")),
	    0);
	put_image("an.image", &i);
	assert_int_equal(open_for(&c, "walk", support_own_dir(), &changed, &why), ST_OK);
	assert_true(changed);
	assert_string_not_equal(first.hex, c.digest.hex);
	checkpoint_release(&c);
}

static void
test_checkpoint_one_that_cannot_be_had_has_place_reason_and_remedy(void **state)
{
	struct support_image	i = image_of_this_machine();

	(void)state;
	assert_refused("walk", "", "no directory of images");
	assert_refused("walk", NULL, "no directory of images");
	assert_refused("walk", "/nowhere", "No such file");
	put_image("an.image", &i);
	assert_refused("run", support_own_dir(), "\"walk\", not \"run\"");
	i.header.cpu.xcr0 ^= 1;
	put_image("an.image", &i);
	assert_refused("walk", support_own_dir(), "registers");
	i.header.bytes++;
	put_image("an.image", &i);
	assert_refused("walk", support_own_dir(), "truncated");
}

/* ---- comparing ---- */

struct outputs {
	char	got[OUTPUT], want[OUTPUT], again[OUTPUT];
};

static void
put_word(char *output, size_t at, uint64_t word)
{
	memcpy(output + at, &word, sizeof word);
}

static struct answer
answer_in(struct outputs *o, struct support_image i)
{
	struct checkpoint	c;
	struct answer	found = { .rtol = 0 };
	struct fault		why;
	struct job		job;
	bool			changed;

	put_image("an.image", &i);
	checkpoint_init(&c);
	make_job(&job, "walk");
	assert_int_equal(checkpoint_open(&c, support_own_dir(), &job.spec, &changed, &why), ST_OK);
	assert_int_equal(checkpoint_output_bytes(&c, &job.spec), OUTPUT);
	checkpoint_compare(&found, &c, &job.spec, o->got, o->want, o->again);
	job_release(&job);
	checkpoint_release(&c);
	return found;
}

static struct answer
compare(struct outputs *o)
{
	return answer_in(o, image_of_this_machine());
}

static void
put_everywhere(struct outputs *o, size_t at, uint64_t word)
{
	put_word(o->got, at, word);
	put_word(o->want, at, word);
	put_word(o->again, at, word);
}

static void
test_checkpoint_C4_results_calls_and_memory_are_compared(void **state)
{
	static struct outputs	o;
	struct answer	c;

	(void)state;
	put_everywhere(&o, 0, 3);
	assert_int_equal(compare(&o).wrong, 0);
	put_word(o.got, RUNNER_RESULTS_AT + 16, 5);
	c = compare(&o);
	assert_int_equal(c.wrong, 1);
	assert_string_equal(c.bad_operand, "return");
	assert_int_equal(c.bad_index, 2);
	put_word(o.got, RUNNER_RESULTS_AT + 16, 0);
	put_word(o.got, RUNNER_RESULTS_AT + 24, 5);		/* of a call that there was not */
	assert_int_equal(compare(&o).wrong, 0);
	put_word(o.got, 0, 2);
	assert_string_equal(compare(&o).bad_operand, "calls");
}

static void
test_checkpoint_C4_a_word_of_memory_is_told_by_its_address(void **state)
{
	static struct outputs	o;
	struct answer	c;
	struct fault		why;

	(void)state;
	put_word(o.got, RUNNER_MEMORY_AT(8) + 0x40, 7);
	c = compare(&o);
	assert_int_equal(c.wrong, 1);
	assert_int_equal(c.bad_index, SUPPORT_DATA + 0x40);
	assert_int_equal(answer_verdict(&c, &why), ST_WRONG_ANSWER);
	assert_non_null(strstr(why.text, "memory[0x500000004040] is 7"));
}

static void
test_checkpoint_what_the_reference_leaves_otherwise_each_time_is_nobodys(void **state)
{
	static struct outputs	o;

	(void)state;
	put_word(o.got, RUNNER_MEMORY_AT(8) + 0x40, 7);
	put_word(o.want, RUNNER_MEMORY_AT(8) + 0x40, 8);
	assert_int_equal(compare(&o).wrong, 0);
	put_word(o.again, RUNNER_MEMORY_AT(8) + 0x40, 8);
	assert_int_equal(compare(&o).wrong, 1);
}

static void
test_checkpoint_jumps_that_the_linker_has_found_are_not_compared(void **state)
{
	static struct outputs	o;
	struct support_image	i = image_of_this_machine();

	(void)state;
	put_everywhere(&o, RUNNER_MEMORY_AT(8) + 0x40, SUPPORT_CODE + 8);
	put_word(o.got, RUNNER_MEMORY_AT(8) + 0x40, SUPPORT_CODE + 16);
	assert_int_equal(answer_in(&o, i).wrong, 1);		/* it was no jump before */
	put_word(i.memory[1], 0x40, SUPPORT_CODE);
	assert_int_equal(answer_in(&o, i).wrong, 0);
	put_word(o.got, RUNNER_MEMORY_AT(8) + 0x40, SUPPORT_DATA);
	assert_int_equal(answer_in(&o, i).wrong, 1);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_checkpoint_P39_an_image_is_copied_hashed_and_kept_until_it_changes),
		cmocka_unit_test(test_checkpoint_one_that_cannot_be_had_has_place_reason_and_remedy),
		cmocka_unit_test(test_checkpoint_C4_results_calls_and_memory_are_compared),
		cmocka_unit_test(test_checkpoint_C4_a_word_of_memory_is_told_by_its_address),
		cmocka_unit_test(test_checkpoint_what_the_reference_leaves_otherwise_each_time_is_nobodys),
		cmocka_unit_test(test_checkpoint_jumps_that_the_linker_has_found_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
