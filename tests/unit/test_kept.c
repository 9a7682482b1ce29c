/* SPDX-License-Identifier: Apache-2.0 */
/* The ranges themselves; then the filter that keeps them, in a process of its own. */
#include <errno.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/runner/guard.h"
#include "worker/runner/kept.h"

enum { NPAGES = 16, FIRST_KEPT = 4, NKEPT = 2, SECOND_KEPT = 10 };

static uint64_t
page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static const void *
page_at(uint64_t n)
{
	return (const void *)(uintptr_t)(n * page());
}

static void
assert_span(const struct rt_kept *k, unsigned i, uint64_t from, uint64_t to)
{
	assert_true(i < k->n);
	assert_int_equal(k->span[i].from, from * page());
	assert_int_equal(k->span[i].to, to * page());
}

static void
test_kept_spans_are_whole_pages_in_ascending_order(void **state)
{
	static struct rt_kept	k;

	(void)state;
	rt_kept_add(&k, (const char *)page_at(20) + 5, 1);
	rt_kept_add(&k, page_at(10), page() + 1);
	rt_kept_add(&k, page_at(30), page());
	rt_kept_add(&k, NULL, page());
	rt_kept_add(&k, page_at(40), 0);
	assert_int_equal(k.n, 3);
	assert_span(&k, 0, 10, 12);
	assert_span(&k, 1, 20, 21);
	assert_span(&k, 2, 30, 31);
}

static void
test_kept_spans_that_touch_or_overlap_are_one(void **state)
{
	static struct rt_kept	k;

	(void)state;
	rt_kept_add(&k, page_at(10), 2 * page());
	rt_kept_add(&k, page_at(14), page());
	rt_kept_add(&k, page_at(20), 4 * page());
	rt_kept_add(&k, page_at(21), page());
	assert_int_equal(k.n, 3);
	assert_span(&k, 2, 20, 24);
	rt_kept_add(&k, page_at(12), 2 * page());
	assert_int_equal(k.n, 2);
	assert_span(&k, 0, 10, 15);
	rt_kept_add(&k, page_at(9), 90 * page());
	assert_int_equal(k.n, 1);
	assert_span(&k, 0, 9, 99);
}

static void
test_kept_with_too_many_spans_the_nearest_two_become_one(void **state)
{
	static struct rt_kept	k;

	(void)state;
	for (unsigned i = 0; i < RT_KEPT_MOST; i++)
		rt_kept_add(&k, page_at(10 + 10 * i), page());
	assert_int_equal(k.n, RT_KEPT_MOST);
	rt_kept_add(&k, page_at(53), page());
	assert_int_equal(k.n, RT_KEPT_MOST);
	assert_span(&k, 3, 40, 41);
	assert_span(&k, 4, 50, 54);
	assert_span(&k, 5, 60, 61);
	assert_span(&k, RT_KEPT_MOST - 1, 10 * RT_KEPT_MOST, 10 * RT_KEPT_MOST + 1);
}

static void
test_kept_code_is_the_programs_its_libraries_and_the_kernels(void **state)
{
	static struct rt_kept		k;
	const uintptr_t			code[] = { (uintptr_t)page, (uintptr_t)memcpy,
					    (uintptr_t)_cmocka_run_group_tests };

	(void)state;
	rt_kept_add_code(&k, NULL);
	for (size_t c = 0; c < sizeof code / sizeof code[0]; c++) {
		unsigned	holders = 0;

		for (unsigned i = 0; i < k.n; i++)
			holders += k.span[i].from <= code[c] && code[c] < k.span[i].to;
		assert_int_equal(holders, 1);
	}
	for (unsigned i = 0; i < k.n; i++)
		assert_false(k.span[i].from <= (uintptr_t)&k && (uintptr_t)&k < k.span[i].to);
}

/* ---- the filter ---- */

static int
guard(const struct rt_kept *k)
{
	static struct rt_bpf		p;
	const struct sock_fprog		program = { 0, p.code };
	struct sock_fprog		whole = program;

	rt_bpf_put_number(&p);
	rt_guard_put(&p, k);
	rt_bpf_put(&p, BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1);
	rt_bpf_put(&p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV, 0, 0);
	rt_bpf_put(&p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	whole.len = p.n;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) == 0;
}

static int
touches(uint64_t from, uint64_t pages)
{
	return (from < FIRST_KEPT + NKEPT && from + pages > FIRST_KEPT) ||
	    (from < SECOND_KEPT + NKEPT && from + pages > SECOND_KEPT);
}

/* Each call that changes a mapping, one after another. */
enum { NCALLS = 5 };

static int
is_refused(int call, char *at, uint64_t bytes)
{
	const int	rights = PROT_READ | PROT_WRITE;
	const int	how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
	int		failed;

	errno = 0;
	switch (call) {
	case 0:
		failed = mprotect(at, bytes, rights) != 0;
		break;
	case 1:
		failed = madvise(at, bytes, MADV_DONTNEED) != 0;
		break;
	case 2:
		failed = mmap(at, bytes, rights, how, -1, 0) == MAP_FAILED;
		break;
	case 3:
		failed = mremap(at, bytes, bytes, 0) == MAP_FAILED;
		break;
	default:
		failed = munmap(at, bytes) != 0 ||
		    mmap(at, bytes, rights, how, -1, 0) == MAP_FAILED;
	}
	return failed && errno == EPERM;
}

/* 0: each range of pages is refused exactly if it touches kept memory. */
static int
try_all(char *pages)
{
	for (int call = 0; call < NCALLS; call++)
		for (uint64_t from = 0; from < NPAGES; from++)
			for (uint64_t n = 1; from + n <= NPAGES; n++)
				if (is_refused(call, pages + from * page(), n * page()) !=
				    touches(from, n))
					return 1 + call;
	return 0;
}

/* A range may begin or end far away, beyond 4 GiB. */
static int
try_far(char *pages)
{
	/* from the second page that there can be to the first that is kept */
	const uintptr_t	to_kept = (uintptr_t)pages + (FIRST_KEPT - 1) * page();

	if (madvise((void *)page(), to_kept + 1, MADV_COLD) == 0 || errno != EPERM)
		return 11;
	if (munmap((void *)page(), to_kept + ((uintptr_t)5 << 32)) == 0 || errno != EPERM)
		return 12;
	if (munmap(pages + (FIRST_KEPT + 1) * page(), (uintptr_t)1 << 33) == 0 || errno != EPERM)
		return 13;
	if (madvise((void *)page(), to_kept, MADV_COLD) != 0 && errno == EPERM)
		return 14;
	return 0;
}

static int
try_others(char *pages)
{
	if (mmap(pages + FIRST_KEPT * page(), page(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	    0) == MAP_FAILED)
		return 21;		/* a wish for an address is no order */
	if (mmap(pages + FIRST_KEPT * page(), page(), PROT_READ,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != MAP_FAILED)
		return 22;
	if (syscall(SYS_getppid) != -1 || errno != EXDEV)
		return 23;		/* the rules behind find their number */
	pages[FIRST_KEPT * page()]++;
	return pages[FIRST_KEPT * page()] == 2 ? 0 : 24;
}

static int
in_a_guarded_process(int (*body)(char *))
{
	static struct rt_kept	k;
	const int		rights = PROT_READ | PROT_WRITE;
	int			status;
	char			*pages;
	pid_t			 pid = fork();

	if (pid == 0) {
		pages = mmap(NULL, NPAGES * page(), rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		pages[FIRST_KEPT * page()] = 1;
		rt_kept_add(&k, pages + FIRST_KEPT * page(), NKEPT * page());
		rt_kept_add(&k, pages + SECOND_KEPT * page(), NKEPT * page());
		_exit(pages == MAP_FAILED || !guard(&k) ? 100 : body(pages));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 100)
		skip();			/* a kernel without seccomp */
	return WEXITSTATUS(status);
}

static void
test_kept_memory_keeps_its_mapping_and_its_neighbours_need_not(void **state)
{
	(void)state;
	assert_int_equal(in_a_guarded_process(try_all), 0);
}

static void
test_kept_memory_is_found_in_ranges_of_any_length(void **state)
{
	(void)state;
	assert_int_equal(in_a_guarded_process(try_far), 0);
}

static void
test_kept_memory_can_be_used_and_other_calls_be_made(void **state)
{
	(void)state;
	assert_int_equal(in_a_guarded_process(try_others), 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_kept_spans_are_whole_pages_in_ascending_order),
		cmocka_unit_test(test_kept_spans_that_touch_or_overlap_are_one),
		cmocka_unit_test(test_kept_with_too_many_spans_the_nearest_two_become_one),
		cmocka_unit_test(test_kept_code_is_the_programs_its_libraries_and_the_kernels),
		cmocka_unit_test(test_kept_memory_keeps_its_mapping_and_its_neighbours_need_not),
		cmocka_unit_test(test_kept_memory_is_found_in_ranges_of_any_length),
		cmocka_unit_test(test_kept_memory_can_be_used_and_other_calls_be_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
