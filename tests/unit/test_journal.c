/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <sys/wait.h>

#include "tests/support/fake_host.h"

#define BOOT	"11111111-2222-3333-4444-555555555555"

static enum status
take(struct fake_host *h, struct tune *t, struct fault *why)
{
	struct tune_order	order = fake_order(h, true);
	struct site		site;
	enum status		st = fake_site(&site, h, why);

	return st == ST_OK ? tune_apply(t, &site, &order, NULL, NULL, why) : st;
}

static enum status
restore(struct fake_host *h, struct fault *why)
{
	return tune_restore(NULL, &h->fs, h->run, NULL, NULL, why);
}

static bool
journal_exists(const struct fake_host *h)
{
	char	path[256];

	(void)snprintf(path, sizeof path, "%s/host.journal", h->run);
	return access(path, F_OK) == 0;
}

static void
append(const struct fake_host *h, const char *text)
{
	char	path[256];
	FILE	*f;

	(void)snprintf(path, sizeof path, "%s/host.journal", h->run);
	assert_non_null(f = fopen(path, "a"));
	(void)fputs(text, f);
	(void)fclose(f);
}

/* ---- the file ---- */

static void
test_journal_gives_back_every_byte_it_was_given(void **state)
{
	struct fake_host	h;
	struct journal		j;
	char			all[256], empty[] = "";

	(void)state;
	for (int c = 1; c < 256; c++)
		all[c - 1] = (char)c;
	all[255] = '\0';
	fake_host_init(&h);
	assert_int_equal(journal_begin(&j, h.run, BOOT, NULL), ST_OK);
	assert_int_equal(journal_intend(&j, JOURNAL_WRITE, "a", "/p", all, empty, "%41", NULL),
	    ST_OK);
	assert_int_equal(journal_got(&j, all, NULL), ST_OK);
	assert_int_equal(journal_intend(&j, JOURNAL_MAKE, "b", "/q", empty, "=", "\t", NULL),
	    ST_OK);
	journal_release(&j);
	assert_int_equal(journal_load(&j, h.run, BOOT, NULL), ST_OK);
	assert_int_equal(j.n, 2);
	assert_string_equal(j.entries[0].old, all);
	assert_string_equal(j.entries[0].new_value, empty);
	assert_string_equal(j.entries[0].undo, "%41");
	assert_string_equal(j.entries[0].got, all);
	assert_int_equal(j.entries[1].act, JOURNAL_MAKE);
	assert_false(j.entries[1].done);
	assert_string_equal(j.entries[1].new_value, "=");
	assert_string_equal(j.entries[1].undo, "\t");
	assert_ptr_equal(journal_find(&j, "/q"), &j.entries[1]);
	assert_null(journal_find(&j, "/r"));
	journal_release(&j);
	fake_host_release(&h);
}

static void
test_journal_a_line_that_was_never_finished_does_not_count(void **state)
{
	struct fake_host	h;
	struct journal		j;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(journal_begin(&j, h.run, BOOT, NULL), ST_OK);
	assert_int_equal(journal_intend(&j, JOURNAL_WRITE, "a", "/p", "1", "2", "1", NULL), ST_OK);
	journal_release(&j);
	append(&h, "write\t1\t=b\t=/q\t=ol");
	assert_int_equal(journal_load(&j, h.run, BOOT, NULL), ST_OK);
	assert_int_equal(j.n, 1);
	journal_release(&j);
	fake_host_release(&h);
}

static void
test_journal_of_another_boot_is_discarded(void **state)
{
	struct fake_host	h;
	struct journal		j;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(journal_begin(&j, h.run, "another", NULL), ST_OK);
	assert_int_equal(journal_intend(&j, JOURNAL_WRITE, "a", "/proc/sys/vm/stat_interval", "77",
	    "1", "77", NULL), ST_OK);
	assert_int_equal(journal_got(&j, "1", NULL), ST_OK);
	journal_release(&j);
	assert_int_equal(restore(&h, &why), ST_OK);
	assert_string_equal(fake_get(&h, "/proc/sys/vm/stat_interval"), "1");
	assert_false(journal_exists(&h));
	assert_int_equal(journal_begin(&j, h.run, "another", NULL), ST_OK);
	journal_release(&j);
	assert_int_equal(take(&h, &t, &why), ST_OK);
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_journal_one_that_cannot_be_understood_is_neither_followed_nor_overwritten(void **state)
{
	static const char *const	bad[] = { "write\t0\t=a\t=/p\t=1\n",
		"write\t5\t=a\t=/p\t=1\t=2\t=1\n", "got\t0\t=1\n",
		"erase\t0\t=a\t=/p\t=1\t=2\t=1\n", "write\t0\t=a\t=/p\t=%G1\t=2\t=1\n",
		"write\t0\ta\t=/p\t=1\t=2\t=1\n", "write\t0\t=a\t=/p\t=1%00\t=2\t=1\n",
		"\n" };

	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct fake_host	h;
		struct journal		j;
		struct tune		t;
		struct fault		why;

		fake_host_init(&h);
		assert_int_equal(journal_begin(&j, h.run, BOOT, NULL), ST_OK);
		journal_release(&j);
		append(&h, bad[i]);
		assert_int_equal(restore(&h, &why), ST_IO);
		assert_int_equal(take(&h, &t, &why), ST_IO);
		assert_true(journal_exists(&h));
		fake_host_release(&h);
	}
}

/* Where the file begins with NUL, it looks as if it were empty. */
static void
test_journal_one_with_a_nul_is_damaged_and_not_empty(void **state)
{
	static const struct {
		const char	*bytes;
		size_t		 n;
	} damage[] = { { "\0\0\0\0", 4 }, { "assay-host\t1\t=" BOOT "\n\0", 52 },
		{ "assay-host\t1\t=" BOOT "\nwrite\t0\t=a\0\t=/p\t=1\t=2\t=1\n", 76 } };

	(void)state;
	for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
		struct fake_host	h;
		struct tune		t;
		struct fault		why;
		char			path[256];
		FILE			*f;

		fake_host_init(&h);
		(void)snprintf(path, sizeof path, "%s/host.journal", h.run);
		assert_non_null(f = fopen(path, "w"));
		assert_int_equal(fwrite(damage[i].bytes, 1, damage[i].n, f), damage[i].n);
		(void)fclose(f);
		assert_int_equal(restore(&h, &why), ST_IO);
		assert_non_null(strstr(why.text, "damaged"));
		assert_int_equal(take(&h, &t, &why), ST_IO);
		assert_true(journal_exists(&h));
		fake_host_release(&h);
	}
}

/* ---- changes ---- */

/* The hook runs just before each write: its intention must be on disk by then. */
static int
intended(void *arg, enum hostfs_moment when, const char *path, const char *value)
{
	struct fake_host	*h = arg;
	struct journal		 j;
	const struct journal_entry *e;

	if (when == HOSTFS_BEFORE_WRITE && strncmp(path, "/sys/fs/cgroup/", 15) != 0) {
		assert_int_equal(journal_load(&j, h->run, BOOT, NULL), ST_OK);
		assert_non_null(e = journal_find(&j, path));
		assert_string_equal(e->new_value, value);
		assert_string_equal(e->old, fake_get(h, path));
		assert_false(e->done);
		journal_release(&j);
		h->moments++;
	}
	return 0;
}

static void
test_journal_tells_of_each_change_before_it_is_made(void **state)
{
	struct fake_host	h;
	struct tune_order	order;
	struct site		site;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	h.fs.hook = intended;
	assert_int_equal(fake_site(&site, &h, &why), ST_OK);
	order = fake_order(&h, true);
	order.partition.kind = PARTITION_NONE;
	assert_int_equal(tune_apply(&t, &site, &order, NULL, NULL, &why), ST_OK);
	assert_true(h.moments > 15);
	h.fs.hook = fake_hook;
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

/* In a process of its own, which may die on the way.  Returns whether it lived. */
static bool
lives(struct fake_host *h, int die_at, bool restoring)
{
	struct tune	t;
	struct fault	why;
	int		status;
	pid_t		pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		h->moments = 0;
		h->die_at = die_at;
		_exit((restoring ? restore(h, &why) : take(h, &t, &why)) == ST_OK ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 42));
	return WEXITSTATUS(status) == 0;
}

static void
crash_everywhere(const char *clamp, bool boost_drags)
{
	struct fake_host	h;
	struct fault		why;
	int			n = 0;
	bool			lived;

	fake_host_init(&h);
	h.clamp = clamp;
	h.clamp_to = "2000000";
	if ((h.boost_drags = boost_drags))
		fake_put(&h, CPU "/cpufreq/policy0/boost", "0");
	fake_remember(&h);
	do {
		lived = lives(&h, ++n, false);
		assert_int_equal(restore(&h, &why), ST_OK);
		fake_assert_as_before(&h, n);
		assert_false(journal_exists(&h));
	} while (!lived);
	assert_true(n > 50);			/* every write has a before and an after */
	fake_host_release(&h);
}

static void
test_journal_a_crash_at_any_moment_of_applying_is_undone_to_the_byte(void **state)
{
	(void)state;
	crash_everywhere(NULL, false);
}

static void
test_journal_so_is_one_around_a_value_that_the_kernel_clamps(void **state)
{
	(void)state;
	crash_everywhere("policy2/scaling_max_freq", false);
}

static void
test_journal_so_is_one_around_a_boost_that_sets_others(void **state)
{
	(void)state;
	crash_everywhere(NULL, true);
}

static void
test_journal_a_crash_at_any_moment_of_restoring_is_made_good_by_the_next(void **state)
{
	struct fake_host	h;
	struct fault		why;
	int			n = 0;
	bool			lived;

	(void)state;
	fake_host_init(&h);
	fake_remember(&h);
	do {
		assert_true(lives(&h, 0, false));
		lived = lives(&h, ++n, true);
		assert_int_equal(restore(&h, &why), ST_OK);
		fake_assert_as_before(&h, n);
	} while (!lived);
	assert_true(n > 30);
	fake_host_release(&h);
}

struct verdicts {
	unsigned	count[UNDO_NVERDICTS];
	char		foreign[256];
};

static void
note_verdict(void *arg, const struct journal_entry *e, enum undo_verdict v, const char *found)
{
	struct verdicts	*all = arg;

	(void)found;
	all->count[v]++;
	if (v == UNDO_FOREIGN)
		(void)snprintf(all->foreign, sizeof all->foreign, "%s", e->path);
}

static void
test_journal_what_somebody_else_changed_since_is_left_alone(void **state)
{
	static const char	governor[] = CPU "/cpufreq/policy2/scaling_governor";
	struct fake_host	h;
	struct tune		t;
	struct verdicts		v = { { 0 }, "" };
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_remember(&h);
	assert_int_equal(take(&h, &t, &why), ST_OK);
	fake_put(&h, governor, "schedutil");
	assert_int_equal(tune_restore(&t, &h.fs, h.run, note_verdict, &v, &why), ST_OK);
	assert_int_equal(v.count[UNDO_FOREIGN], 1);
	assert_string_equal(v.foreign, governor);
	assert_int_equal(v.count[UNDO_FAILED], 0);
	assert_string_equal(fake_get(&h, governor), "schedutil");
	fake_put(&h, governor, "powersave");
	fake_assert_as_before(&h, 0);
	fake_host_release(&h);
}

static void
test_journal_stays_while_something_cannot_be_undone(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_remember(&h);
	assert_int_equal(take(&h, &t, &why), ST_OK);
	h.refuse = "/scaling_governor";
	h.refuse_errno = EBUSY;
	assert_int_equal(tune_restore(&t, &h.fs, h.run, NULL, NULL, &why), ST_IO);
	assert_true(journal_exists(&h));
	assert_int_equal(take(&h, &t, &why), ST_CONFLICT);
	assert_non_null(strstr(why.hint, "--restore"));
	h.refuse = NULL;
	assert_int_equal(restore(&h, &why), ST_OK);
	fake_assert_as_before(&h, 0);
	assert_int_equal(take(&h, &t, &why), ST_OK);
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_journal_one_assay_hostd_per_host(void **state)
{
	struct fake_host	h;
	struct tune		first, second;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(take(&h, &first, &why), ST_OK);
	assert_int_equal(take(&h, &second, &why), ST_CONFLICT);
	assert_int_equal(restore(&h, &why), ST_CONFLICT);
	assert_string_equal(fake_get(&h, "/proc/sys/vm/stat_interval"), "10");
	assert_int_equal(tune_restore(&first, &h.fs, h.run, NULL, NULL, &why), ST_OK);
	assert_int_equal(take(&h, &second, &why), ST_OK);
	assert_int_equal(tune_restore(&second, &h.fs, h.run, NULL, NULL, &why), ST_OK);
	assert_int_equal(restore(&h, &why), ST_OK);
	fake_host_release(&h);
}

/* A disk that is full: what was done is undone, and it is told. */
static void
test_journal_that_cannot_be_written_stops_everything(void **state)
{
	struct fake_host	h;
	struct journal		j;
	int			read_only;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(journal_begin(&j, h.run, BOOT, NULL), ST_OK);
	read_only = open(j.path, O_RDONLY);
	assert_true(read_only >= 0 && dup2(read_only, j.fd) == j.fd);
	(void)close(read_only);
	assert_int_equal(journal_intend(&j, JOURNAL_WRITE, "a", "/p", "1", "2", "1", NULL), ST_IO);
	assert_int_equal(j.n, 0);
	journal_release(&j);
	fake_host_release(&h);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_journal_gives_back_every_byte_it_was_given),
		cmocka_unit_test(test_journal_a_line_that_was_never_finished_does_not_count),
		cmocka_unit_test(test_journal_of_another_boot_is_discarded),
		cmocka_unit_test(test_journal_one_that_cannot_be_understood_is_neither_followed_nor_overwritten),
		cmocka_unit_test(test_journal_one_with_a_nul_is_damaged_and_not_empty),
		cmocka_unit_test(test_journal_tells_of_each_change_before_it_is_made),
		cmocka_unit_test(test_journal_a_crash_at_any_moment_of_applying_is_undone_to_the_byte),
		cmocka_unit_test(test_journal_so_is_one_around_a_value_that_the_kernel_clamps),
		cmocka_unit_test(test_journal_so_is_one_around_a_boost_that_sets_others),
		cmocka_unit_test(test_journal_a_crash_at_any_moment_of_restoring_is_made_good_by_the_next),
		cmocka_unit_test(test_journal_what_somebody_else_changed_since_is_left_alone),
		cmocka_unit_test(test_journal_stays_while_something_cannot_be_undone),
		cmocka_unit_test(test_journal_one_assay_hostd_per_host),
		cmocka_unit_test(test_journal_that_cannot_be_written_stops_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
