/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/usage/account.h"

enum { QUOTA = 3 };
static const uid_t	user = 4242;	/* the first of the test's users */

static struct account *
opened(struct accounts *all, uid_t uid)
{
	struct account	*a;
	struct fault	 why;

	assert_int_equal(account_open(all, uid, TRAFFIC_RPC, &a, &why), ST_OK);
	return a;
}

static void
assert_refused(struct accounts *all, uid_t uid, const char *words)
{
	struct account	*a;
	struct fault	 why;

	assert_int_equal(account_open(all, uid, TRAFFIC_RPC, &a, &why), ST_FULL);
	assert_null(a);
	assert_non_null(strstr(why.text, words));
}

static struct accounts *
made(unsigned quota)
{
	struct accounts	*all;
	struct fault	 why;

	assert_int_equal(accounts_new(&all, NULL, quota, &why), ST_OK);
	return all;
}

static void
test_account_users_have_their_quota_each_and_operators_none(void **state)
{
	struct accounts	*all = made(QUOTA);
	struct account	*a[2 * QUOTA], *root[2 * QUOTA];

	(void)state;
	for (unsigned i = 0; i < 2 * QUOTA; i++) {
		a[i] = opened(all, user + i % 2);
		root[i] = opened(all, 0);
	}
	assert_refused(all, user, "user 4242 has 3 connections");
	account_close(a[0], TRAFFIC_RPC);
	a[0] = opened(all, user);
	for (unsigned i = 0; i < 2 * QUOTA; i++) {
		account_close(a[i], TRAFFIC_RPC);
		account_close(root[i], TRAFFIC_RPC);
	}
	accounts_free(all);
}

static void
test_account_the_last_connections_are_for_operators(void **state)
{
	struct accounts	*all = made(0);
	struct account	*a[ACCOUNT_MAX_CONNECTIONS];
	unsigned	 n = ACCOUNT_MAX_CONNECTIONS - ACCOUNT_FOR_OPERATORS;

	(void)state;
	for (unsigned i = 0; i < n; i++)
		a[i] = opened(all, user + i);
	assert_refused(all, user, "too many");
	for (unsigned i = n; i < ACCOUNT_MAX_CONNECTIONS; i++)
		a[i] = opened(all, geteuid());
	assert_refused(all, geteuid(), "too many");
	for (unsigned i = 0; i < ACCOUNT_MAX_CONNECTIONS; i++)
		account_close(a[i], TRAFFIC_RPC);
	accounts_free(all);
}

static void
note_room(void *arg)
{
	++*(int *)arg;
}

static void
test_account_what_is_held_is_bounded_for_a_user_and_waiters_hear_of_room(void **state)
{
	struct accounts		*all = made(0);
	struct account		*one = opened(all, user), *other = opened(all, user + 1);
	struct fault		 why;
	size_t			 held = 0;
	int			 heard = 0;
	struct account_waiter	 w = { .on_room = note_room, .arg = &heard };

	(void)state;
	assert_true(account_has_room(one, ACCOUNT_HELD_BYTES));
	account_hold(one, &held, ACCOUNT_HELD_BYTES);
	assert_int_equal(held, ACCOUNT_HELD_BYTES);
	assert_false(account_has_room(one, 1));
	assert_true(account_has_room(other, ACCOUNT_HELD_BYTES));
	account_wait(one, &w, 1);
	account_wait(one, &w, 1);
	assert_int_equal(heard, 0);
	assert_int_equal(account_full(one, &why), ST_FULL);
	account_hold(one, &held, 0);
	account_hold(one, &held, 0);
	assert_int_equal(heard, 1);
	account_wait(one, &w, 1);
	account_wait_no_more(one, &w);
	account_hold(one, &held, 2);
	account_hold(one, &held, 0);
	assert_int_equal(heard, 1);
	account_close(one, TRAFFIC_RPC);
	account_close(other, TRAFFIC_RPC);
	accounts_free(all);
}

static void
test_account_all_users_together_are_bounded_but_operators_only_alone(void **state)
{
	enum { N = ACCOUNT_ALL_HELD_BYTES / ACCOUNT_HELD_BYTES + 1 };
	struct accounts	*all = made(0);
	struct account	*a[N], *root = opened(all, 0);
	size_t		 held[N] = { 0 };
	struct fault	 why;

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		a[i] = opened(all, user + i);
		account_hold(a[i], &held[i], ACCOUNT_HELD_BYTES - 1);
	}
	assert_false(account_has_room(a[0], 1));
	assert_true(account_has_room(root, ACCOUNT_HELD_BYTES));
	for (unsigned i = 0; i < N; i++)
		(void)account_keep(a[i], ACCOUNT_KEPT_BYTES, &why);
	assert_int_equal(account_keep(a[N - 1], 1, &why), ST_FULL);
	assert_int_equal(account_keep(root, ACCOUNT_KEPT_BYTES, &why), ST_OK);
	assert_int_equal(account_keep(root, 1, &why), ST_FULL);
	account_unkeep(root, ACCOUNT_KEPT_BYTES);
	assert_int_equal(account_keep(root, 1, &why), ST_OK);
	for (unsigned i = 0; i < N; i++) {
		account_hold(a[i], &held[i], 0);
		account_close(a[i], TRAFFIC_RPC);
	}
	account_close(root, TRAFFIC_RPC);
	accounts_free(all);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_account_users_have_their_quota_each_and_operators_none),
		cmocka_unit_test(test_account_the_last_connections_are_for_operators),
		cmocka_unit_test(
		    test_account_what_is_held_is_bounded_for_a_user_and_waiters_hear_of_room),
		cmocka_unit_test(test_account_all_users_together_are_bounded_but_operators_only_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
