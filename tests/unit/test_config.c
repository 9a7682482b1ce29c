/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/setup/config_parts.h"
#include "daemon/setup/config_reload.h"
#include "proto/spec/spec.h"

enum { MAX_ARGS = 16 };

/* Arguments by name, ended by NULL. */
static enum status
load(struct config *c, struct fault *why, ...)
{
	char		*argv[MAX_ARGS] = { (char[]){ "assayd" } };
	int		 argc = 1;
	va_list		 ap;

	va_start(ap, why);
	while ((argv[argc] = va_arg(ap, char *)) != NULL)
		argc++;
	va_end(ap);
	return config_load(c, argc, argv, why);
}

/* A file with this text; its path in `path`, to be unlinked by the caller. */
static void
write_file(char *path, const char *text)
{
	FILE	*f;
	int	 fd;

	(void)strcpy(path, "/tmp/test_config.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	assert_non_null(f);
	(void)fputs(text, f);
	(void)fclose(f);
}

static void
test_config_directories_in_variables_are_defaults_for_root_too(void **state)
{
	struct config	c;
	struct fault	why;

	(void)state;
	assert_int_equal(setenv("STATE_DIRECTORY", "/its/state", 1), 0);
	assert_int_equal(setenv("RUNTIME_DIRECTORY", "/its/run", 1), 0);
	assert_int_equal(load(&c, &why, NULL), ST_OK);
	assert_string_equal(c.state_dir, "/its/state");
	assert_string_equal(c.socket_path, "/its/run/assay.sock");
	config_release(&c);
	assert_int_equal(load(&c, &why, "--state", "/x", "--socket", "/y", NULL), ST_OK);
	assert_string_equal(c.state_dir, "/x");
	assert_string_equal(c.socket_path, "/y");
	config_release(&c);
	assert_int_equal(setenv("STATE_DIRECTORY", "/one:/two", 1), 0);
	assert_int_equal(setenv("RUNTIME_DIRECTORY", "relative", 1), 0);
	assert_int_equal(load(&c, &why, NULL), ST_OK);
	assert_string_not_equal(c.state_dir, "/one:/two");
	assert_int_equal(c.socket_path[0], '/');
	assert_null(strstr(c.socket_path, "relative"));
	config_release(&c);
	assert_int_equal(unsetenv("STATE_DIRECTORY"), 0);
	assert_int_equal(unsetenv("RUNTIME_DIRECTORY"), 0);
}

static void
test_config_P39_images_are_where_it_says_and_nowhere_by_default(void **state)
{
	struct config	c;
	struct fault	why;

	(void)state;
	assert_int_equal(load(&c, &why, "--state", "/x", NULL), ST_OK);
	assert_string_equal(c.images_dir, "");
	config_release(&c);
	assert_int_equal(load(&c, &why, "--images", "theirs", "--state", "/x", NULL), ST_OK);
	assert_int_equal(c.images_dir[0], '/');
	assert_non_null(strstr(c.images_dir, "/theirs"));
	config_release(&c);
}

static void
test_config_X16_rights_beyond_the_usual_are_none_unless_they_are_listed(void **state)
{
	struct config	c;
	struct fault	why;

	(void)state;
	assert_int_equal(load(&c, &why, "--state", "/x", NULL), ST_OK);
	assert_int_equal(c.jail_profiles, 0);
	config_release(&c);
	assert_int_equal(load(&c, &why, "--jail-profiles", "io, fork", "--state", "/x", NULL),
	    ST_OK);
	assert_int_equal(c.jail_profiles, 1 << PROFILE_IO | 1 << PROFILE_FORK);
	config_release(&c);
	assert_int_equal(load(&c, &why, "--jail-profiles", "fork", "--state", "/x", NULL), ST_OK);
	assert_int_equal(c.jail_profiles, 1 << PROFILE_FORK);
	config_release(&c);
	assert_int_equal(load(&c, &why, "--jail-profiles", "io,iofork", NULL), ST_BAD_REQUEST);
	assert_non_null(strstr(why.text, "\"iofork\" is neither io nor fork"));
	config_release(&c);
}

static void
test_config_running_without_a_jail_must_be_asked_for(void **state)
{
	struct config	c;
	struct fault	why;

	(void)state;
	assert_int_equal(load(&c, &why, "--state", "/x", NULL), ST_OK);
	assert_false(c.insecure_no_jail);
	config_release(&c);
	assert_int_equal(load(&c, &why, "--insecure-no-jail", "--state", "/x", NULL), ST_OK);
	assert_true(c.insecure_no_jail);
	assert_string_equal(c.state_dir, "/x");
	config_release(&c);
}

static void
test_config_flags_are_read_and_relative_paths_made_absolute(void **state)
{
	struct config	c;
	struct fault	why;
	char		cwd[4096];

	(void)state;
	assert_int_equal(load(&c, &why, "--state", "there", "--timing-cpus", "2,5", "--cache-limit", "3",
	    "--socket-mode", "0660", "--log", "warn", NULL), ST_OK);
	assert_non_null(getcwd(cwd, sizeof cwd));
	assert_memory_equal(c.state_dir, cwd, strlen(cwd));
	assert_string_equal(c.state_dir + strlen(cwd), "/there");
	assert_int_equal(c.slots.n, 2);
	assert_true(CPU_COUNT(&c.slots.cpus[1]) == 1 && CPU_ISSET(5, &c.slots.cpus[1]));
	assert_int_equal(c.cache_limit_bytes, 3 << 20);
	assert_int_equal(c.socket_mode, 0660);
	assert_int_equal(c.log_level, LOG_LEVEL_WARN);
	config_release(&c);
}

static void
test_config_a_slot_may_have_several_cpus_and_what_is_said_last_counts(void **state)
{
	struct config	c;
	struct fault	why;
	char		path[64];

	(void)state;
	write_file(path, "timing-cpus = 1,2\nslots = 1; 4-6,9;\n");
	assert_int_equal(load(&c, &why, "--config", path, NULL), ST_OK);
	assert_int_equal(c.slots.n, 2);
	assert_int_equal(CPU_COUNT(&c.slots.cpus[0]), 1);
	assert_int_equal(CPU_COUNT(&c.slots.cpus[1]), 4);
	assert_true(CPU_ISSET(6, &c.slots.cpus[1]) && CPU_ISSET(9, &c.slots.cpus[1]));
	assert_string_equal(c.slots.from, "slots");
	config_release(&c);
	assert_int_equal(load(&c, &why, "--config", path, "--timing-cpus", "3", NULL), ST_OK);
	assert_int_equal(c.slots.n, 1);
	assert_true(CPU_ISSET(3, &c.slots.cpus[0]));
	config_release(&c);
	(void)unlink(path);
}

static void
test_config_free_means_any_core_and_ends_with_the_next_setting_of_slots(void **state)
{
	static const char *const	later[][2] = { { "--timing-cpus", "3" }, { "--slots", "3" } };
	struct config			c;
	struct fault			why;

	(void)state;
	assert_int_equal(load(&c, &why, "--timing-cpus", "2", "--timing-cpus", "free", NULL), ST_OK);
	assert_true(c.slots.any_free && c.slots.n == 0);
	config_release(&c);
	for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
		assert_int_equal(load(&c, &why, "--timing-cpus", "free", later[i][0], later[i][1],
		    NULL), ST_OK);
		assert_true(!c.slots.any_free && c.slots.n == 1);
		config_release(&c);
	}
	assert_int_equal(load(&c, &why, "--timing-cpus", "next-free", NULL), ST_OK);
	assert_true(c.slots.any_free && c.slots.waits);
	config_release(&c);
	assert_int_equal(load(&c, &why, "--timing-cpus", "next-free", "--timing-cpus", "free",
	    NULL), ST_OK);
	assert_true(c.slots.any_free && !c.slots.waits);
	config_release(&c);
}

static void
test_config_the_environment_or_a_flag_shares_cpus(void **state)
{
	static const struct {
		const char	*environment, *flag;
		bool		 shares;
	} cases[] = { { "yes", NULL, true }, { "no", NULL, false }, { "", NULL, false },
	    { "no", "--share-cpus", true } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct config	c;
		struct fault	why;

		assert_int_equal(setenv("ASSAY_SHARE_CPUS", cases[i].environment, 1), 0);
		assert_int_equal(load(&c, &why, cases[i].flag, NULL), ST_OK);
		assert_int_equal(c.share_cpus, cases[i].shares);
		config_release(&c);
	}
	(void)unsetenv("ASSAY_SHARE_CPUS");
}

static void
test_config_a_flag_overrides_the_file_wherever_it_stands(void **state)
{
	struct config	c;
	struct fault	why;
	char		path[64];

	(void)state;
	write_file(path, "# a comment\n\n  builders = 3  # three\nqueue-limit=17\n");
	assert_int_equal(load(&c, &why, "--config", path, "--builders", "5", NULL), ST_OK);
	assert_int_equal(c.builders, 5);
	assert_int_equal(c.queue_limit, 17);
	config_release(&c);
	assert_int_equal(load(&c, &why, "--builders", "5", "--config", path, NULL), ST_OK);
	assert_int_equal(c.builders, 5);
	assert_int_equal(c.queue_limit, 17);
	config_release(&c);
	assert_int_equal(load(&c, &why, "--builders", "5", "--builders", "6", "--config", path, NULL),
	    ST_OK);
	assert_int_equal(c.builders, 6);
	config_release(&c);
	(void)unlink(path);
}

static void
test_config_a_bad_line_is_named_with_its_place_and_the_nearest_setting(void **state)
{
	struct config	c;
	struct fault	why;
	char		path[64], line[1400];

	(void)state;
	write_file(path, "builders = 3\nquue-limit = 4\n");
	assert_int_equal(load(&c, &why, "--config", path, NULL), ST_BAD_REQUEST);
	(void)fault_line(&why, line, sizeof line);
	assert_non_null(strstr(line, "line 2"));
	assert_non_null(strstr(line, "queue-limit"));
	(void)unlink(path);
}

static void
test_config_numbers_out_of_range_are_refused_with_the_range(void **state)
{
	static const char *const	bad[][2] = {
		{ "--builders", "0" }, { "--builders", "-1" }, { "--builders", "1e3" }, { "--socket-mode", "0999" },
		{ "--cache-limit", "99999999999999999999" }, { "--timing-cpus", "1,,2" }, { "--timing-cpus", "x" },
		{ "--timing-cpus", "" }, { "--timing-cpus", "2-3" }, { "--timing-cpus", "1024" }, { "--slots", "1;;x" },
		{ "--slots", "3-2" }, { "--slots", "1; ;2" },
		{ "--log", "loud" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct config	c;
		struct fault	why;

		assert_int_equal(load(&c, &why, bad[i][0], bad[i][1], NULL), ST_BAD_REQUEST);
		assert_string_equal(why.member, bad[i][0] + 2);
	}
}

struct differences {
	char	 text[512];
};

static void
on_difference(void *arg, const char *setting, bool taken)
{
	struct differences	*d = arg;

	(void)strcat(strcat(d->text, taken ? "+" : "-"), setting);
}

static enum status
reload(struct config *c, struct differences *d, struct fault *why, const char *path)
{
	char	*argv[] = { (char[]){ "assayd" }, (char[]){ "--config" }, (char *)(uintptr_t)path,
		    (char[]){ "--builders=3" }, NULL };

	d->text[0] = '\0';
	return config_reload(c, 4, argv, on_difference, d, why);
}

static void
test_config_a_reload_takes_what_can_change_and_names_all_that_differs(void **state)
{
	char			path[64], path2[64], path3[64];
	struct config		c;
	struct differences	d;
	struct fault		why;

	(void)state;
	write_file(path, "queue-limit = 5\nlog = warn\nbuilders = 7\nworker = /a\n");
	write_file(path2, "queue-limit = 6\nlog = warn\nbuilders = 8\nworker = /b\n"
	    "drain-seconds = 3\n");
	write_file(path3, "queue-limit = 9\nlog = loud\n");
	assert_int_equal(load(&c, &why, "--config", path, "--builders=3", NULL), ST_OK);
	assert_int_equal(reload(&c, &d, &why, path), ST_OK);
	assert_string_equal(d.text, "");
	assert_int_equal(reload(&c, &d, &why, path2), ST_OK);
	assert_string_equal(d.text, "+queue-limit+drain-seconds-worker");
	assert_int_equal(c.queue_limit, 6);
	assert_int_equal(c.drain_s, 3);
	assert_string_equal(c.worker_path, "/a");
	assert_int_equal(c.builders, 3);	/* flags override the file, as at the start */
	assert_int_equal(reload(&c, &d, &why, path3), ST_BAD_REQUEST);
	assert_non_null(strstr(why.member, "line 2"));
	assert_int_equal(c.queue_limit, 6);
	config_release(&c);
	(void)unlink(path);
	(void)unlink(path2);
	(void)unlink(path3);
}

static void
test_config_a_reload_knows_each_setting_but_those_of_the_start(void **state)
{
	static const char *const	of_the_start[] = { "config", "ready-fd", "exit-with-fd" };

	(void)state;
	for (size_t i = 0; i < config_settings.n; i++) {
		const char	*name = config_settings.table[i].name;
		bool		 is_known = config_reload_knows(name);

		for (unsigned k = 0; k < 3; k++)
			is_known |= strcmp(name, of_the_start[k]) == 0;
		if (!is_known)
			fail_msg("config_reload.c has no row for %s", name);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_config_directories_in_variables_are_defaults_for_root_too),
		cmocka_unit_test(test_config_P39_images_are_where_it_says_and_nowhere_by_default),
		cmocka_unit_test(
		    test_config_X16_rights_beyond_the_usual_are_none_unless_they_are_listed),
		cmocka_unit_test(test_config_running_without_a_jail_must_be_asked_for),
		cmocka_unit_test(test_config_flags_are_read_and_relative_paths_made_absolute),
		cmocka_unit_test(test_config_a_slot_may_have_several_cpus_and_what_is_said_last_counts),
		cmocka_unit_test(test_config_free_means_any_core_and_ends_with_the_next_setting_of_slots),
		cmocka_unit_test(test_config_the_environment_or_a_flag_shares_cpus),
		cmocka_unit_test(test_config_a_flag_overrides_the_file_wherever_it_stands),
		cmocka_unit_test(test_config_a_bad_line_is_named_with_its_place_and_the_nearest_setting),
		cmocka_unit_test(test_config_numbers_out_of_range_are_refused_with_the_range),
		cmocka_unit_test(
		    test_config_a_reload_takes_what_can_change_and_names_all_that_differs),
		cmocka_unit_test(test_config_a_reload_knows_each_setting_but_those_of_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
