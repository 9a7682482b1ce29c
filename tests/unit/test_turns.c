/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/doors/turns.h"

enum { MANY = 250 };

static struct event_base	*base;
static struct turns		*all;
static char			 order[1024];
static size_t			 ran;

struct client {
	struct turn	 turn;
	uid_t		 uid;
	char		 letter;
	int		 again;		/* times that it asks while it runs */
};

static void
on_turn(void *arg)
{
	struct client	*c = arg;

	order[ran++] = c->letter;
	if (c->again-- > 0)
		assert_true(turn_ask(all, &c->turn, c->uid));
}

static void
ask(struct client *c, uid_t uid, char letter, int again)
{
	*c = (struct client){ .turn = { .run = on_turn, .arg = c }, .uid = uid, .letter = letter,
	    .again = again };
	assert_true(turn_ask(all, &c->turn, uid));
}

static int
set_up(void **state)
{
	struct fault	why;

	(void)state;
	memset(order, 0, sizeof order);
	ran = 0;
	base = event_base_new();
	return turns_new(&all, base, &why) == ST_OK ? 0 : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	turns_free(all);
	event_base_free(base);
	return 0;
}

static void
test_D10_turns_go_round_users_however_many_connections_each_has(void **state)
{
	struct client	many[MANY], one, other;

	(void)state;
	for (int i = 0; i < MANY; i++)
		ask(&many[i], 1, 'm', 2);
	ask(&one, 2, 'o', 3);
	ask(&other, 3, 'x', 0);
	(void)event_base_loop(base, 0);
	assert_int_equal(ran, 3 * MANY + 4 + 1);
	assert_memory_equal(order, "moxmomomomm", 11);
}

static void
test_D10_turns_of_a_user_go_in_the_order_of_asking(void **state)
{
	struct client	c[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		ask(&c[i], 1, (char)('a' + i), 1);
	assert_true(turn_ask(all, &c[0].turn, 1));		/* it waits already */
	(void)event_base_loop(base, 0);
	assert_string_equal(order, "abcabc");
}

static void
test_D10_turns_leave_the_event_loop_to_others_after_a_few(void **state)
{
	struct client	many[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++)
		ask(&many[i], (uid_t)i, 'm', 0);
	(void)event_base_loop(base, EVLOOP_ONCE);
	assert_in_range(ran, 1, TURNS_AT_ONCE);
	(void)event_base_loop(base, 0);
	assert_int_equal(ran, MANY);
}

static void
test_D10_turns_that_were_dropped_are_not_run(void **state)
{
	static struct client	c[3];		/* until tear_down */

	(void)state;
	for (int i = 0; i < 3; i++)
		ask(&c[i], (uid_t)(i / 2), (char)('a' + i), 0);
	turn_drop(all, &c[0].turn);
	turn_drop(all, &c[2].turn);
	turn_drop(all, &c[2].turn);
	(void)event_base_loop(base, 0);
	assert_string_equal(order, "b");
	ask(&c[0], 1, 'a', 0);		/* still waits at the end of all */
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		TEST(test_D10_turns_go_round_users_however_many_connections_each_has),
		TEST(test_D10_turns_of_a_user_go_in_the_order_of_asking),
		TEST(test_D10_turns_leave_the_event_loop_to_others_after_a_few),
		TEST(test_D10_turns_that_were_dropped_are_not_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
